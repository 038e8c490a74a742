import { describe, expect, it } from 'vitest';
import { parseTemplateOptions, templateOptionLines } from '../../../src/tools/shared/template-options.js';

/** As SDK 10 prints it: two columns, which both wrap. */
const PAGE = `Some Template (C#)
Author: Someone
Options:
  -n, --name <name>       The name for the output being created.
  --force                 Forces content to be generated. [default: False]

Template options:
  -au, --auth <choice>                   The type of authentication to use
                                         Type: choice
                                           None           No authentication
                                           IndividualB2C  Individual 
                                         authentication with Azure AD B2C
                                         Default: None
  -ssp, --susi-policy-id                 The sign-in and sign-up policy ID for 
  <susi-policy-id>                       this project.
                                         Type: string
                                         Default: 
                                         https://qualified.domain.name.b2clogin.
                                         com/
  --no-restore                           If specified, skips the restore.
                                         Type: bool
                                         Default: false

To see help for other template languages (F#), use --language option:
   dotnet new some -h --language F#
`;

describe('the options of a template', () => {
  const options = parseTemplateOptions(PAGE);

  it('are read with their values and defaults, without those of dotnet new', () => {
    expect(options).toEqual([
      {
        name: '--auth',
        alias: '-au',
        type: 'choice',
        values: ['None', 'IndividualB2C'],
        default: 'None',
        description: 'The type of authentication to use',
      },
      {
        name: '--susi-policy-id',
        alias: '-ssp',
        type: 'string',
        default: 'https://qualified.domain.name.b2clogin.com/',
        description: 'The sign-in and sign-up policy ID for this project.',
      },
      { name: '--no-restore', type: 'bool', default: 'false', description: 'If specified, skips the restore.' },
    ]);
  });

  it('are one line each', () => {
    expect(templateOptionLines(options, 2000)).toEqual([
      '--auth, -au <None|IndividualB2C> = None: The type of authentication to use',
      '--susi-policy-id, -ssp <string> = https://qualified.domain.name.b2clogin.com/: The sign-in and sign-up policy ID for this project.',
      '--no-restore: If specified, skips the restore.',
    ]);
  });

  it('lose words of their descriptions where they do not fit, never names', () => {
    const lines = templateOptionLines(options, 230);
    expect(lines.join('\n').length).toBeLessThanOrEqual(230);
    expect(lines[0]).toBe('--auth, -au <None|IndividualB2C> = None: The type of…');
    expect(templateOptionLines(options, 1).join('\n')).toContain('--susi-policy-id, -ssp <string>');
  });

  it('are none where the page has none', () => {
    expect(parseTemplateOptions('Usage:\n  dotnet new x\n')).toEqual([]);
    expect(parseTemplateOptions('Template options:\n\n')).toEqual([]);
  });
});
