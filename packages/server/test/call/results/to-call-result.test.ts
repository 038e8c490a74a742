import type { JsonObject } from '@mortise/plugin';
import type { ErrorOutcome, SuccessOutcome } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import { errorOutcome } from '../../../src/call/results/error-outcomes.js';
import { createOutputTable, type OutputStore } from '../../../src/call/results/output-store.js';
import { respond } from '../../../src/call/results/to-call-result.js';

const options = (more: object = {}) => ({
  machineReadable: false,
  hasOutputSchema: false,
  maxResultBytes: 5_000_000,
  maxTextChars: 20_000,
  outputs: createOutputTable().of('a'),
  ...more,
});

const success = (more: Partial<SuccessOutcome> = {}): SuccessOutcome => ({
  kind: 'success',
  content: [{ type: 'text', text: 'fine' }],
  contentIsText: true,
  ...more,
});

const toolErrorOf = (message: string) => ({ code: 'TOOL_ERROR', message, category: 'Tool' as const, rawOutput: '' });

const error = (more: Partial<ErrorOutcome> = {}): ErrorOutcome => ({
  kind: 'error',
  errors: [{ code: 'TOOL_ERROR', message: 'bad', category: 'Tool', rawOutput: '' }],
  exitCode: -1,
  ...more,
});

const texts = (result: { content: { type: string }[] }): string[] =>
  result.content.flatMap((block) => ('text' in block ? [block.text as string] : []));

describe('a success', () => {
  it('is its text alone when there is nothing else', () => {
    expect(respond(success(), options())).toEqual({ content: [{ type: 'text', text: 'fine' }] });
  });

  it('shows the whole response as structuredContent when there is metadata, and pictures by their type only', () => {
    const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    const result = respond(success({ content: [image], contentIsText: false, metadata: { a: 1 } }), options());
    expect(result.structuredContent).toEqual({
      content: [{ type: 'image', mimeType: 'image/png' }],
      metadata: { a: 1 },
    });
    expect(result.content).toEqual([image]);
  });

  it('shows the metadata alone where the tool has an outputSchema', () => {
    expect(respond(success({ metadata: { a: 1 } }), options({ hasOutputSchema: true })).structuredContent).toEqual({
      a: 1,
    });
  });

  it('puts metadata beside given structuredContent into _meta', () => {
    const result = respond(success({ structured: { x: 1 }, metadata: { a: 1 } }), options());
    expect(result).toMatchObject({ structuredContent: { x: 1 }, _meta: { a: 1 } });
  });

  it('is one SuccessResult and the pictures with machineReadable', () => {
    const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    const content = [{ type: 'text' as const, text: 'a' }, image, { type: 'text' as const, text: 'b' }];
    const result = respond(
      success({ content, metadata: { n: 1, s: 'x' }, command: 'dotnet build' }),
      options({ machineReadable: true }),
    );
    expect(result.content).toHaveLength(2);
    expect(JSON.parse(texts(result)[0]!)).toEqual({
      success: true,
      command: 'dotnet build',
      output: 'a\nb',
      exitCode: 0,
      metadata: { n: '1', s: 'x' },
    });
    expect(result.content[1]).toEqual(image);
  });
});

describe('an error', () => {
  it('has an ErrorResponse with every required member, in the order of the published contract', () => {
    const result = respond(errorOutcome('TOOL_BUSY', 'busy'), options());
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toEqual({
      success: false,
      errors: [
        {
          code: 'TOOL_BUSY',
          message: 'busy',
          category: 'Concurrency',
          hint: expect.any(String),
          rawOutput: '',
          mcpErrorCode: -32603,
        },
      ],
      exitCode: -1,
    });
    expect(Object.keys(result.structuredContent!)).toEqual(['success', 'errors', 'exitCode']);
  });

  it('never has exit code 0', () => {
    const data = { command: 'search', exitCode: 0 };
    const result = respond(error({ errors: [{ ...toolErrorOf('bad'), data }], exitCode: 0 }), options());
    expect(result.structuredContent).toMatchObject({
      errors: [{ data: { command: 'search', exitCode: -1 } }],
      exitCode: -1,
    });
    expect(texts(result)).toEqual(['Error: bad\nCode: TOOL_ERROR\nExit Code: -1']);
  });

  it('says its facts in text, line by line', () => {
    const outcome = errorOutcome('CAPABILITY_NOT_AVAILABLE', 'no', {
      hint: 'h',
      suggestedFixes: ['1', '2', '3', '4'],
      documentationUrl: 'https://d',
      recommendedAction: 'next',
      rawOutput: 'raw line\nno',
    });
    expect(texts(respond(outcome, options({ isFirstParty: true })))).toEqual([
      'Error: no\nCode: CAPABILITY_NOT_AVAILABLE\nHint: h\nFix: 1\nFix: 2\nFix: 3\nDocs: https://d\nNext: next\nraw line\nExit Code: -1',
    ]);
  });

  it('has no exit code where the tool runs no command, and no empty lists', () => {
    const none = errorOutcome('TOOL_EXCEPTION', 'no', { hint: 'h', alternatives: [], suggestedFixes: [] });
    const result = respond(none, options());
    expect(texts(result)).toEqual(['Error: no\nCode: TOOL_EXCEPTION\nHint: h']);
    expect(result.structuredContent).toMatchObject({ exitCode: -1, errors: [{ code: 'TOOL_EXCEPTION' }] });
    expect(result.structuredContent).not.toHaveProperty('errors.0.alternatives');
    expect(result.structuredContent).not.toHaveProperty('errors.0.suggestedFixes');
    const ran = errorOutcome('TOOL_EXCEPTION', 'no', { data: { command: 'git status', exitCode: -1 } });
    expect(texts(respond(ran, options()))[0]).toMatch(/\nExit Code: -1$/);
    expect(texts(respond({ ...none, exitCode: 3 }, options()))[0]).toMatch(/\nExit Code: 3$/);
  });

  it('names two projects with their paths, and of more the number and three names', () => {
    const text = (additionalData: Record<string, string>) => {
      const lost = { code: 'NU1101', message: 'Lost.', category: 'Package' as const, rawOutput: '' };
      const errors = [{ ...lost, data: { additionalData: { project: '/x/A.csproj', ...additionalData } } }, lost];
      return texts(respond(error({ errors, summary: 'Failed' }), options({ isFirstParty: true })))[0];
    };
    expect(text({ projects: '/x/A.csproj; /x/B.csproj' })).toContain('Lost. [/x/A.csproj, /x/B.csproj]');
    const three = '/x/A.csproj; /x/B.csproj; C:\\x\\C.csproj';
    expect(text({ projects: three })).toContain('Lost. [in 3 projects: A.csproj, B.csproj, C.csproj]');
    const many = { projects: `${three}; /x/D.csproj`, projectCount: '30', frameworks: 'net8.0; net10.0' };
    expect(text(many)).toContain('Lost. [in 30 projects: A.csproj, B.csproj, C.csproj, … (net8.0, net10.0)]');
  });

  it('says nothing twice: neither the message of an error without a file, nor raw lines in another form', () => {
    const project = { additionalData: { project: '/x/App.csproj' } };
    const missing = error({
      errors: [
        {
          ...{ code: 'NETSDK1004', message: 'No assets file. Run restore first.', category: 'Runtime' as const },
          rawOutput: 'No assets file. Run\nrestore first.',
          data: project,
        },
      ],
    });
    expect(texts(respond(missing, options({ isFirstParty: true })))).toEqual([
      'Error: No assets file. Run restore first.\nCode: NETSDK1004\nExit Code: -1',
    ]);
    const unreachable = error({
      errors: [
        {
          ...{ code: 'NU1301', message: 'Unable to load.\n  Connection refused', category: 'Package' as const },
          rawOutput:
            'App.csproj : error NU1301: Unable to load.\nApp.csproj : error NU1301:   Connection refused\nnews',
          data: project,
        },
        {
          ...{ code: 'MSBUILD_UNCODED', message: 'No such SDK', category: 'Build' as const },
          rawOutput: '/x/App.csproj : error : No such SDK',
          file: '/x/App.csproj',
        },
      ],
      partialResult: { summary: 'Build failed: 2 errors' },
    });
    expect(texts(respond(unreachable, options({ isFirstParty: true })))).toEqual([
      [
        'Error: Build failed: 2 errors',
        'Code: NU1301',
        'error NU1301: Unable to load.',
        '  Connection refused [/x/App.csproj]',
        '/x/App.csproj: error MSBUILD_UNCODED: No such SDK',
        'news',
        'Exit Code: -1',
      ].join('\n'),
    ]);
  });

  it('compares only the end of a long raw output', () => {
    const rawOutput = `${'first\n'.repeat(100_000)}no\nlast`;
    const result = respond(errorOutcome('TOOL_EXCEPTION', 'no', { rawOutput }), options());
    expect(texts(result)[0]).toMatch(/^Error: no\nCode: TOOL_EXCEPTION\n(?:.*\n)?(?:first\n){300,}last$/);
  });

  it('begins with the summary that its data has', () => {
    const tests = error({
      errors: [toolErrorOf('1 of 2 tests failed')],
      partialResult: { summary: 'Test run failed.' },
    });
    expect(texts(respond(tests, options()))[0]).toMatch(/^Error: Test run failed\. 1 of 2 tests failed\n/);
    const missing = error({
      errors: [toolErrorOf('Project file does not exist.')],
      partialResult: { summary: 'Build failed: 1 error' },
    });
    expect(texts(respond(missing, options()))[0]).toMatch(
      /^Error: Build failed: 1 error\. Project file does not exist\.\n/,
    );
    const ended = error({
      errors: [toolErrorOf('Build did not end')],
      partialResult: { summary: 'Build did not end' },
    });
    expect(texts(respond(ended, options()))[0]).toMatch(/^Error: Build did not end\n/);
  });

  it('lists at most 20 diagnostics with their place under the summary', () => {
    const errors = Array.from({ length: 23 }, (_, index) => ({
      code: 'CS0103',
      message: `m${index}`,
      category: 'Compilation' as const,
      rawOutput: '',
      file: 'a.cs',
      line: index + 1,
      column: 2,
    }));
    const [text = ''] = texts(
      respond(error({ errors, exitCode: 1, partialResult: { summary: 'Build failed: 23 errors' } }), options()),
    );
    const lines = text.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'Error: Build failed: 23 errors',
      'Code: CS0103',
      'a.cs(1,2): error CS0103: m0',
    ]);
    expect(lines.slice(21)).toEqual(['a.cs(20,2): error CS0103: m19', '… and 3 more errors', 'Exit Code: 1']);
  });

  it('keeps what is known beside the errors', () => {
    const { structuredContent } = respond(
      error({ partialResult: { warningCount: 2 }, metadata: { a: 'b' } }),
      options(),
    );
    expect(structuredContent).toMatchObject({ success: false, warningCount: 2, metadata: { a: 'b' } });
    expect(Object.keys(structuredContent!)).toEqual(['success', 'warningCount', 'errors', 'exitCode', 'metadata']);
  });

  it('keeps the own blocks of a TOOL_ERROR and adds only what they do not say', () => {
    const own = [{ type: 'text' as const, text: 'all is bad here' }];
    expect(texts(respond(error({ content: own }), options()))).toEqual(['all is bad here']);
    const other = [{ type: 'text' as const, text: 'sorry' }];
    expect(texts(respond(error({ content: other }), options()))).toEqual(['sorry', 'Error: bad']);
  });

  it('is one ErrorResponse with machineReadable, with metadata as text', () => {
    const result = respond(
      error({ metadata: { n: 1 }, partialResult: { errorCount: 0 } }),
      options({ machineReadable: true }),
    );
    expect(JSON.parse(texts(result)[0]!)).toEqual({
      success: false,
      errors: [{ code: 'TOOL_ERROR', message: 'bad', category: 'Tool', rawOutput: '' }],
      exitCode: -1,
      metadata: { n: '1' },
    });
    expect(result.structuredContent).toMatchObject({ errorCount: 0, metadata: { n: 1 } });
  });
});

describe('a result over the limit', () => {
  const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\n');

  it('is cut, loses structuredContent, and links to the whole', () => {
    const outputs = createOutputTable().of('a');
    const result = respond(
      success({ content: [{ type: 'text', text: long }], metadata: { long } }),
      options({ maxResultBytes: 50_000, outputs }),
    );
    expect(Buffer.byteLength(JSON.stringify(result.content))).toBeLessThanOrEqual(50_000);
    expect(result.structuredContent).toBeUndefined();
    const link = result.content.at(-1) as { type: string; uri: string };
    expect(link).toMatchObject({ type: 'resource_link', name: 'Whole output', mimeType: 'text/plain' });
    expect(texts(result)[0]).toMatch(/… \d+ characters omitted; read all in mortise:\/\/outputs\//);
    expect((outputs.read(link.uri)![0] as { text: string }).text.startsWith('line 0\nline 1\n')).toBe(true);
  });

  it('leaves out a picture that is too large, and says so', () => {
    const outputs = createOutputTable().of('a');
    const picture = { type: 'image' as const, data: 'A'.repeat(100_000), mimeType: 'image/png' };
    const result = respond(
      success({ content: [{ type: 'text', text: 'see' }, picture], contentIsText: false }),
      options({ maxResultBytes: 50_000, outputs }),
    );
    expect(texts(result)).toEqual([
      'see',
      expect.stringMatching(
        /^Omitted, because the result exceeds 50000 bytes: image\. Read it in mortise:\/\/outputs\//,
      ),
    ]);
    const { uri } = result.content.at(-1) as { uri: string };
    expect(outputs.read(uri)).toEqual([
      { uri, mimeType: 'text/plain', text: 'see' },
      { uri, mimeType: 'image/png', blob: picture.data },
    ]);
    expect(outputs.read(`${uri}?offset=1`)).toEqual([expect.objectContaining({ text: 'ee' })]);
  });

  it('keeps the bytes of a sound and of an embedded file, without a text if there is none', () => {
    const outputs = createOutputTable().of('a');
    const blob = 'A'.repeat(100_000);
    const sound = { type: 'audio' as const, data: blob, mimeType: 'audio/wav' };
    const file = { type: 'resource' as const, resource: { uri: 'file:///a', blob } };
    const result = respond(
      success({ content: [sound, file], contentIsText: false }),
      options({ maxResultBytes: 50_000, outputs }),
    );
    const { uri } = result.content.at(-1) as { uri: string };
    expect(outputs.read(uri)).toEqual([
      { uri, mimeType: 'audio/wav', blob },
      { uri, blob },
    ]);
  });

  it('still says what an error is', () => {
    const result = respond(error({ metadata: { long } }), options({ maxResultBytes: 10_000 }));
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({
      success: false,
      errors: [{ code: 'TOOL_ERROR', message: 'bad' }],
      exitCode: -1,
    });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(12_000);
  });
});

const link = (content: readonly { type: string }[]) =>
  content.flatMap((block) => (block.type === 'resource_link' ? [(block as unknown as { uri: string }).uri] : []));

const read = (outputs: OutputStore, uri: string) => (outputs.read(uri)![0] as { text: string }).text;

const OMISSION = /^… \d+ characters omitted; read all in (mortise:\/\/outputs\/[\w-]+) …$/m;

describe('a text over Output.MaxTextChars', () => {
  const long = `${'line of the log\n'.repeat(500)}the end`;

  it('keeps its first quarter and its last three quarters, and says where the whole is', () => {
    const outputs = createOutputTable().of('a');
    const { content } = respond(
      success({ content: [{ type: 'text', text: long }] }),
      options({ maxTextChars: 1000, outputs }),
    );
    const [contentText = ''] = texts({ content });
    expect(contentText.length).toBeLessThanOrEqual(1000);
    expect(contentText).toMatch(/^line of the log\n[\s\S]*the end$/);
    const [, uri = ''] = OMISSION.exec(contentText)!;
    expect(link(content)).toEqual([uri]);
    expect(read(outputs, uri)).toBe(long);
  });

  it.each([
    ['one text', [long]],
    ['many texts', Array.from({ length: 300 }, (_, index) => `text ${index}`)],
    ['a text that just fits, and one more', ['x'.repeat(996), 'more']],
    ['an empty text at the end', ['x'.repeat(1000), '']],
    ['pairs of code units', ['🚀'.repeat(3000)]],
    ['a short one, a long one, a short one', ['a', long, 'z']],
  ])('has no more characters in all: %s', (_title, parts) => {
    for (const maxTextChars of [100, 1000]) {
      const outputs = createOutputTable().of('a');
      const content = parts.map((text) => ({ type: 'text' as const, text }));
      const result = respond(success({ content, contentIsText: false }), options({ maxTextChars, outputs }));
      const contentText = texts(result).join('\n');
      expect(contentText.length).toBeLessThanOrEqual(maxTextChars);
      const [, uri = ''] = OMISSION.exec(contentText)!;
      expect(read(outputs, uri)).toBe(parts.join('\n'));
      expect(Buffer.from(contentText).toString()).toBe(contentText);
    }
  });

  it('leaves other blocks, annotations and structuredContent of a plugin as they are', () => {
    const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    const annotations = { audience: ['user' as const] };
    const result = respond(
      success({ content: [{ type: 'text', text: long, annotations }, image], structured: { long } }),
      options({ maxTextChars: 1000 }),
    );
    expect(result.content[0]).toMatchObject({ type: 'text', annotations });
    expect(result.content[1]).toEqual(image);
    expect(result.structuredContent).toEqual({ long });
  });

  describe('of an embedded resource', () => {
    const resource = (text: string) => ({
      type: 'resource' as const,
      resource: { uri: 'file:///a.log', mimeType: 'text/plain', text },
    });
    const blob = { type: 'resource' as const, resource: { uri: 'file:///a.bin', blob: 'A'.repeat(5000) } };
    const resourceText = (block: unknown) => (block as ReturnType<typeof resource>).resource.text;

    it('is cut and linked, and keeps its URI; binary ones are left as they are', () => {
      const outputs = createOutputTable().of('a');
      const content = [{ type: 'text' as const, text: 'Log:' }, resource(long), blob, resource('more')];
      const result = respond(success({ content }), options({ maxTextChars: 1000, outputs }));
      expect(result.content).toMatchObject([
        { type: 'text', text: 'Log:' },
        { type: 'resource', resource: { uri: 'file:///a.log', mimeType: 'text/plain' } },
        blob,
        { type: 'resource_link' },
      ]);
      const shown = resourceText(result.content[1]);
      expect(`Log:\n${shown}`.length).toBeLessThanOrEqual(1000);
      expect(shown).toMatch(/^line of the log\n[\s\S]*the end$/);
      const [, uri = ''] = OMISSION.exec(shown)!;
      expect(link(result.content)).toEqual([uri]);
      expect(read(outputs, uri)).toBe(`Log:\n${long}\nmore`);
    });

    it('is left as it is if all texts fit', () => {
      const content = [{ type: 'text' as const, text: 'Log:' }, resource('x'.repeat(995))];
      expect(respond(success({ content }), options({ maxTextChars: 1000 })).content).toEqual(content);
    });

    it.each([
      success({ content: [resource(long)] }),
      error({ content: [resource(long)], errors: [toolErrorOf('bad')] }),
    ])('is cut beside the JSON document and in the blocks of an error: $kind', (outcome) => {
      for (const machineReadable of [true, false]) {
        const outputs = createOutputTable().of('a');
        const result = respond(outcome, options({ maxTextChars: 1000, outputs, machineReadable }));
        const shown = result.content.flatMap((block) => (block.type === 'resource' ? [resourceText(block)] : []));
        expect([...texts(result), ...shown].join('\n').length).toBeLessThanOrEqual(1000);
        const [, uri = ''] = OMISSION.exec(shown[0]!)!;
        expect(read(outputs, uri)).toContain(long);
      }
    });
  });

  it('is cut in the own blocks of a TOOL_ERROR, and in the text of any other error', () => {
    for (const outcome of [
      error({ content: [{ type: 'text', text: long }], errors: [{ ...toolErrorOf('bad'), message: long }] }),
      errorOutcome('TOOL_EXCEPTION', long),
    ]) {
      const outputs = createOutputTable().of('a');
      const result = respond(outcome, options({ maxTextChars: 1000, outputs }));
      const contentText = texts(result).join('\n');
      expect(contentText.length).toBeLessThanOrEqual(1000);
      const [, uri = ''] = OMISSION.exec(contentText)!;
      expect(read(outputs, uri)).toContain(long);
      expect(result.structuredContent).toMatchObject({ fullOutput: { uri, chars: read(outputs, uri).length } });
    }
  });

  it.each([100, 500, 1000])('leaves a SuccessResult of at most so many characters: %i', (maxTextChars) => {
    const outputs = createOutputTable().of('a');
    const text = `${'"quoted"\t\u0001'.repeat(500)}${'plain'.repeat(500)}`;
    const result = respond(
      success({ content: [{ type: 'text', text }] }),
      options({ maxTextChars, machineReadable: true, outputs }),
    );
    const [json = ''] = texts(result);
    expect(json.length).toBeLessThanOrEqual(Math.max(250, maxTextChars));
    const { output, metadata, ...more } = JSON.parse(json);
    expect(more).toEqual({ success: true, exitCode: 0 });
    expect(read(outputs, metadata.fullOutput)).toBe(text);
    if (maxTextChars === 1000) expect(output).toContain(metadata.fullOutput);
  });

  it('leaves an ErrorResponse of at most so many characters, with the first errors', () => {
    const errors = Array.from({ length: 200 }, (_, index) => ({ ...toolErrorOf(`m${index}`), rawOutput: long }));
    const [json = ''] = texts(respond(error({ errors }), options({ machineReadable: true })));
    expect(json.length).toBeLessThanOrEqual(20_000);
    expect(JSON.parse(json).errors.length).toBeGreaterThan(2);
    expect(JSON.parse(json).errors[0].message).toBe('m0');
  });
});

describe('the output of a command', () => {
  const output = 'step 1\nstep 2\n';
  const v1 = { machineReadable: true };
  const envelope = (outcome: SuccessOutcome) => JSON.parse(texts(respond(outcome, options(v1)))[0]!);

  it('is output of a SuccessResult, with our one line in metadata.summary', () => {
    expect(
      envelope(success({ output, summary: 'Build succeeded', command: 'dotnet build', metadata: { a: 'b' } })),
    ).toEqual({
      success: true,
      command: 'dotnet build',
      output: 'step 1\nstep 2',
      exitCode: 0,
      metadata: { a: 'b', summary: 'Build succeeded' },
    });
  });

  it('has exitCode 0, and the code of the process in metadata', () => {
    expect(envelope(success({ exitCode: 106 }))).toMatchObject({ exitCode: 0, metadata: { processExitCode: '106' } });
  });

  it('is in text and data of a tool of ours where they do not show it, before the exit code', () => {
    const outputs = createOutputTable().of('a');
    const outcome = success({ content: [{ type: 'text', text: 'done\nExit Code: 0' }], structured: { a: 1 }, output });
    const result = respond(outcome, options({ isFirstParty: true, outputs }));
    const { uri } = (result.structuredContent as JsonObject).fullOutput as { uri: string };
    expect(result.structuredContent).toEqual({ a: 1, fullOutput: { uri, chars: output.length } });
    expect(texts(result)).toEqual([`done\nFull output: ${uri} (${output.length} characters)\nExit Code: 0`]);
    expect(read(outputs, uri)).toBe(output);
    expect(respond({ ...outcome, showsAll: true }, options({ isFirstParty: true })).structuredContent).toEqual({
      a: 1,
    });
  });

  it('is in both of a tool of ours where only the text shows all of it', () => {
    const outcome = success({ content: [{ type: 'text', text: output }], structured: { tail: '2' }, output });
    const ours = { isFirstParty: true };
    expect(respond(outcome, options(ours)).structuredContent).toEqual({ tail: '2' });
    const result = respond({ ...outcome, showsAll: false }, options(ours));
    expect(result.structuredContent).toMatchObject({ fullOutput: { chars: output.length } });
    expect(texts(result)[0]).toContain(link(result.content)[0]!);
  });

  it("is only linked from a plugin's result, whose blocks and data stay as they are", () => {
    const outputs = createOutputTable().of('a');
    const result = respond(success({ structured: { a: 1 }, output }), options({ outputs }));
    expect(texts(result)).toEqual(['fine']);
    expect(result.structuredContent).toEqual({ a: 1 });
    expect(read(outputs, link(result.content)[0]!)).toBe(output);
  });

  it('is in the first text and the data of every error of a command', () => {
    const outputs = createOutputTable().of('a');
    const result = respond(
      error({ errors: [{ ...toolErrorOf('bad'), code: 'EXIT_1' }], output }),
      options({ outputs }),
    );
    const { uri } = (result.structuredContent as JsonObject).fullOutput as { uri: string };
    expect(texts(result)[0]).toMatch(
      new RegExp(`^Error: bad\\nCode: EXIT_1\\nFull output: ${uri} \\(14 characters\\)\\n`),
    );
    expect(read(outputs, uri)).toBe(output);
    const machine = respond(error({ output }), options({ ...v1, outputs }));
    const { metadata } = JSON.parse(texts(machine)[0]!);
    const { fullOutput } = machine.structuredContent as { fullOutput: { uri: string } };
    expect(metadata).toEqual({ fullOutput: fullOutput.uri });
  });
});

describe('an error of many', () => {
  it('gives the help that they share once, under their code', () => {
    const codes = { CS0103: { hint: 'h' } };
    expect(respond(error({ codes }), options()).structuredContent).toMatchObject({ codes });
  });

  it('has exactly the published members with machineReadable, where help is with the first error of its code', () => {
    const place = { file: '/a.cs', line: 1, column: 2, rootCauseKind: 'CompilationError' };
    const recommendedAction = { actionKind: 'ManualStep' as const, description: 'd' };
    const errors = [
      { ...toolErrorOf('first'), ...place, recommendedAction },
      ...['second', 'third'].map((message) => ({ ...toolErrorOf(message), code: 'CS0103' })),
    ];
    const codes = { CS0103: { hint: 'h', recommendedAction, rootCauseKind: 'CompilationError' } };
    const lockInfo = { lockScope: 'project' as const, lockKey: '/a.csproj' };
    const [json = ''] = texts(respond(error({ errors, codes, lockInfo }), options({ machineReadable: true })));
    const texted = { file: '/a.cs', line: '1', column: '2', rootCauseKind: 'CompilationError' };
    expect(JSON.parse(json)).toEqual({
      success: false,
      errors: [
        { ...toolErrorOf('first'), data: { additionalData: texted } },
        {
          ...{ ...toolErrorOf('second'), code: 'CS0103', hint: 'h' },
          data: { additionalData: { rootCauseKind: 'CompilationError' } },
        },
        { ...toolErrorOf('third'), code: 'CS0103' },
      ],
      exitCode: -1,
    });
  });

  it('lists the allowed actions once in its text', () => {
    const message = "Invalid action 'x' is not supported. Allowed values: Start, Stop";
    const text = (hint: string) => texts(respond(errorOutcome('INVALID_PARAMS', message, { hint }), options()))[0]!;
    expect(text('Valid actions are: Start, Stop')).toBe(`Error: ${message}\nCode: INVALID_PARAMS`);
    expect(text("Valid actions are: Start, Stop. Did you mean 'Stop'?")).toBe(
      `Error: ${message}\nCode: INVALID_PARAMS\nHint: Did you mean 'Stop'?`,
    );
    expect(text('Valid actions are: Other')).toContain('Hint: Valid actions are: Other');
  });
});

describe('_meta', () => {
  it('repeats nothing that structuredContent shows', () => {
    const metadata = { a: 'b' };
    expect(respond(success({ structured: { metadata }, metadata }), options())).not.toHaveProperty('_meta');
    expect(respond(success({ structured: { x: 1 }, metadata }), options())).toMatchObject({ _meta: metadata });
  });
});
