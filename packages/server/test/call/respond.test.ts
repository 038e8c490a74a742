import type { ErrorOutcome, SuccessOutcome } from '@mortise/plugin/host';
import { describe, expect, it } from 'vitest';
import { respond } from '../../src/call/respond.js';
import { failure } from '../../src/contract/error-outcomes.js';
import { createRuns } from '../../src/runs.js';

const options = (more: object = {}) => ({
  machineReadable: false,
  hasOutputSchema: false,
  maxResultBytes: 5_000_000,
  maxTextChars: 20_000,
  runs: createRuns(),
  ...more,
});

const success = (more: Partial<SuccessOutcome> = {}): SuccessOutcome => ({
  kind: 'success',
  content: [{ type: 'text', text: 'fine' }],
  contentIsText: true,
  ...more,
});

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
  it('has an ErrorResponse with every required member, in the order of the seed', () => {
    const result = respond(failure('TOOL_BUSY', 'busy'), options());
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

  it('says its facts in text, line by line', () => {
    const outcome = failure('CAPABILITY_NOT_AVAILABLE', 'no', {
      hint: 'h',
      suggestedFixes: ['1', '2', '3', '4'],
      documentationUrl: 'https://d',
      recommendedAction: 'next',
      rawOutput: 'raw line\nno',
    });
    expect(texts(respond(outcome, options()))).toEqual([
      'Error: no\nCode: CAPABILITY_NOT_AVAILABLE\nHint: h\nFix: 1\nFix: 2\nFix: 3\nDocs: https://d\nNext: next\nraw line\nExit Code: -1',
    ]);
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
      respond(error({ errors, exitCode: 1, known: { summary: 'Build failed: 23 errors' } }), options()),
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
    const { structuredContent } = respond(error({ known: { warningCount: 2 }, metadata: { a: 'b' } }), options());
    expect(structuredContent).toMatchObject({ success: false, warningCount: 2, metadata: { a: 'b' } });
    expect(Object.keys(structuredContent!)).toEqual(['success', 'warningCount', 'errors', 'exitCode', 'metadata']);
  });

  it('keeps the own blocks of a TOOL_ERROR and adds only what they do not say', () => {
    const own = [{ type: 'text' as const, text: 'all is bad here' }];
    expect(texts(respond(error({ content: own }), options()))).toEqual(['all is bad here']);
    const other = [{ type: 'text' as const, text: 'sorry' }];
    expect(texts(respond(error({ content: other }), options()))).toEqual(['sorry', 'Error: bad']);
  });

  it('is one ErrorResponse with machineReadable, with metadata as strings', () => {
    const result = respond(error({ metadata: { n: 1 }, known: { errorCount: 0 } }), options({ machineReadable: true }));
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
    const runs = createRuns();
    const result = respond(
      success({ content: [{ type: 'text', text: long }], metadata: { long } }),
      options({ maxResultBytes: 50_000, runs }),
    );
    expect(Buffer.byteLength(JSON.stringify(result.content))).toBeLessThanOrEqual(50_000);
    expect(result.structuredContent).toBeUndefined();
    const link = result.content.at(-1) as { type: string; uri: string };
    expect(link).toMatchObject({ type: 'resource_link', name: 'Whole output', mimeType: 'text/plain' });
    expect(texts(result)[0]).toMatch(/… \d+ characters left out; read them from mortise:\/\/runs\//);
    expect((runs.read(link.uri)![0] as { text: string }).text.startsWith('line 0\nline 1\n')).toBe(true);
  });

  it('leaves out a picture that is too large, and says so', () => {
    const picture = { type: 'image' as const, data: 'A'.repeat(100_000), mimeType: 'image/png' };
    const result = respond(
      success({ content: [{ type: 'text', text: 'see' }, picture], contentIsText: false }),
      options({ maxResultBytes: 50_000 }),
    );
    expect(texts(result)).toEqual(['see', 'Left out, for the result was over 50000 bytes: image']);
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

describe('a command whose whole output is given', () => {
  const output = `${'line of the log\n'.repeat(500)}the end`;
  const linkOf = (content: readonly { type: string }[]) =>
    content.flatMap((block) => (block.type === 'resource_link' ? [(block as unknown as { uri: string }).uri] : []))[0]!;

  it('shows the first quarter and the last three quarters of a long text, and links the whole', () => {
    const runs = createRuns();
    const result = respond(
      success({ content: [{ type: 'text', text: output }], output }),
      options({ maxTextChars: 1000, runs }),
    );
    const [shown] = texts(result);
    expect(shown!.length).toBeLessThan(1200);
    expect(shown).toMatch(/^line of the log\n.*characters left out.*the end$/s);
    expect(runs.read(linkOf(result.content))![0]).toMatchObject({ text: output });
  });

  it('cuts the output of a SuccessResult alike', () => {
    const result = respond(
      success({ content: [{ type: 'text', text: output }], output }),
      options({ maxTextChars: 1000, machineReadable: true }),
    );
    expect(JSON.parse(texts(result)[0]!).output).toMatch(/characters left out/);
  });

  it('is linked from an error', () => {
    const runs = createRuns();
    const result = respond(error({ output }), options({ runs }));
    expect(runs.read(linkOf(result.content))![0]).toMatchObject({ text: output });
  });

  it('leaves a long text without an output alone', () => {
    expect(
      texts(respond(success({ content: [{ type: 'text', text: output }] }), options({ maxTextChars: 100 }))),
    ).toEqual([output]);
  });
});
