import { describe, expect, it } from 'vitest';
import { packageInMessage } from '../../src/advice/package-in-message.js';
import report from '../diagnostics/provoked/report.json' with { type: 'json' };

/** Whom the real messages of NuGet are about; of the other codes, none names a package. */
const NAMED: Readonly<Record<string, string>> = {
  NU1013: 'Plain',
  NU1015: 'A',
  NU1100: 'Plain',
  NU1101: 'A',
  NU1102: 'Plain',
  NU1103: 'Pre',
  NU1107: 'Plain',
  NU1109: 'Plain',
  NU1202: 'Future',
  NU1213: 'Platform',
  NU1401: 'Newer',
  NU1402: 'Outside',
  NU1403: 'Plain',
  NU1510: 'System.Text.Json',
  NU1602: 'Plain',
  NU1603: 'From2',
  NU1604: 'A',
  NU1605: 'Plain',
  NU1608: 'Plain',
  NU1701: 'Old',
  NU1901: 'Low',
  NU1902: 'Moderate',
  NU1903: 'High',
  NU1904: 'Critical',
  NU1008: 'A',
  NU1011: 'A',
  NU1010: 'A',
  NU1009: 'NETStandard.Library',
};

const MESSAGES = Object.entries(report.provoked).filter(([code]) => /^NU[1-4]/.test(code));

describe('the package that a message is about', () => {
  it.each(MESSAGES)('%s', (code, { message }) => {
    expect(packageInMessage(message)).toBe(NAMED[code]);
  });

  it.each([
    ["There are no versions available for the package 'A.B-C'.", 'A.B-C'],
    ['Unable to find package Newtonsoft.Jsn. No packages exist with this id', 'Newtonsoft.Jsn'],
    ["Package 'Newtonsoft.Json' 12.0.1 has a known high severity vulnerability, https://x", 'Newtonsoft.Json'],
    ['The package references have changed.', undefined],
  ])('%s', (message, id) => {
    expect(packageInMessage(message)).toBe(id);
  });

  // A search that is not linear would never come to the end of four million characters.
  it.each(['package a.', "package 'a ", 'a-', 'dependency ', 'version: '])(
    'is looked for to the end of a long text of %j',
    (odd) => {
      const found = packageInMessage(odd.repeat(4_000_000 / odd.length));
      expect(found === undefined || odd.includes(found)).toBe(true);
    },
  );
});
