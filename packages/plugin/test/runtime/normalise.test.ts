import { readFileSync } from 'node:fs';
import { fail, ok, type ToolResponse } from '@mortise/plugin';
import { normaliseReturned, type Outcome } from '@mortise/plugin/runtime';
import { type RunResult, runTool } from '@mortise/plugin/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/property-runs.js';

interface Row {
  id: string;
  returns: string;
  text?: string[];
  content?: unknown[];
  structured?: unknown;
  isError: boolean;
  code?: string;
  message?: string;
  metadata?: unknown;
}

const rows: Row[] = JSON.parse(
  readFileSync(new URL('../../../../test/cases/normalization.json', import.meta.url), 'utf8'),
).cases;

/** The rows are written as JavaScript expressions; each becomes the module of one tool. */
async function run(expression: string): Promise<RunResult> {
  const source = `export default () => (${expression});`;
  const { default: returns } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  return runTool({ name: 'row', description: 'Row.', inputSchema: { type: 'object' }, run: () => returns() });
}

describe('the table of normalisation', () => {
  it.each(rows)('$id: $returns', async (row) => {
    const result = await run(row.returns);
    expect(result.isError).toBe(row.isError);
    const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    // The line "Error: …" below a tool's own blocks is the server's.
    const own = row.text?.filter((line) => line !== `Error: ${row.message}`);
    if (own !== undefined) expect(texts).toEqual(own);
    if (row.content !== undefined) expect(result.content).toEqual(row.content);
    if (!row.isError && row.structured !== undefined) expect(result.structured ?? null).toEqual(row.structured);
    if (row.code !== undefined) expect(result.error).toMatchObject({ code: row.code, category: 'Tool' });
    if (row.message !== undefined) expect(result.error?.message).toBe(row.message);
    if (row.metadata !== undefined) expect(result.structured?.metadata).toEqual(row.metadata);
  });
});

const success = (returned: unknown) => {
  const outcome = normaliseReturned(returned);
  if (outcome.kind !== 'success') throw new Error(`not a success: ${JSON.stringify(outcome)}`);
  return outcome;
};

const failure = (returned: unknown) => {
  const outcome = normaliseReturned(returned);
  if (outcome.kind !== 'error') throw new Error(`not an error: ${JSON.stringify(outcome)}`);
  return outcome;
};

const invalid = (returned: unknown): string => {
  const { errors } = failure(returned);
  expect(errors[0]).toMatchObject({ code: 'TOOL_INVALID_RESULT', hint: expect.stringContaining('Return a string') });
  return errors[0]?.message as string;
};

describe('values', () => {
  it('stay values: no JSON text is made of them', () => {
    expect(success({ a: { token: 'x' } }).content).toEqual([{ type: 'json', value: { a: { token: 'x' } }, indent: 2 }]);
    expect(failure({ error: { code: 1 } }).errors[0]?.message).toEqual({ json: { code: 1 } });
  });

  it('follow the rules of JSON: toJSON, undefined, holes, boxes', () => {
    const returned = {
      date: new Date(0),
      none: undefined,
      zero: -0,
      list: [undefined, ...new Array(1), 1],
      holes: new Array(2),
      boxed: [Object(1), Object('s'), Object(false)],
      instance: new (class Point {
        x = 1;
        length() {
          return this.x;
        }
      })(),
      [Symbol('hidden')]: 1,
    };
    expect(success(returned).metadata).toEqual(JSON.parse(JSON.stringify(returned)));
  });

  it.each([
    [{ data: Promise.resolve(1) }, "a Promise at 'data'; await it"],
    // biome-ignore lint/suspicious/noThenProperty: what libraries of queries return
    [{ data: { then: () => 1 } }, "an object with the members then at 'data'; await it"],
    [{ list: [{ byId: new Map([[1, 2]]) }] }, "a Map at 'list.0.byId'; return Object.fromEntries(map)"],
    [[new Set([1])], "a Set at '0'; return [...set]"],
    [{ cause: new Error('x') }, "an Error at 'cause'; return its message, throw it, or return fail(message)"],
    [{ page: new Response('x') }, "a Response at 'page'; return what `await response.json()` gives"],
    [{ rows: (function* () {})() }, "a Generator at 'rows'; return the list of its values"],
    [{ mean: Number.NaN }, "NaN at 'mean'; return null, or leave it out"],
    [Number.POSITIVE_INFINITY, 'Infinity; return null, or leave it out'],
    [{ count: () => 1 }, "a function at 'count'; call it, or leave it out"],
    [{ id: 10n }, "a BigInt at 'id'; return its digits: String(value)"],
    [{ kind: Symbol('s') }, "a symbol at 'kind'; return its description, or leave it out"],
    [{ query: new URLSearchParams('a=1') }, "an URLSearchParams at 'query'; return a plain object"],
    [
      {
        state: new (class Secret {
          #x = 1;
          get x() {
            return this.#x;
          }
        })(),
      },
      "an instance of Secret without members of its own at 'state'; return a plain object",
    ],
    [{ content: 'c', metadata: { at: Number.NaN } }, "NaN at 'metadata.at'"],
    [{ content: 'c', metadata: () => 1 }, "a function at 'metadata'"],
    [{ content: 'c', structuredContent: { at: new Map() } }, "a Map at 'structuredContent.at'"],
    [{ content: 'c', rows: new Set() }, "a Set at 'rows'"],
  ])('that JSON would lose are refused, with the path and what to do: %o', (returned, message) => {
    expect(invalid(returned)).toContain(`that JSON cannot hold: ${message}`);
  });

  it('that JSON would lose are left out of what is told of a failure', () => {
    expect(failure({ error: 'bad', again: () => 1, cause: new Error('x') }).metadata).toEqual({
      error: 'bad',
      cause: {},
    });
  });

  it('keep own __proto__ keys as own keys, and pollute nothing', () => {
    const returned = JSON.parse('{"__proto__": {"polluted": 1}, "nested": {"__proto__": 2}}');
    const { metadata } = success(returned);
    expect(JSON.stringify(metadata)).toBe(JSON.stringify(returned));
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const withProto = success(JSON.parse('{"content": "c", "__proto__": {"a": 1}}'));
    expect(JSON.stringify(withProto.metadata)).toBe('{"__proto__":{"a":1}}');
  });

  it('are copies: what the plugin changes later changes nothing', () => {
    const returned = { list: [1] };
    const { metadata } = success(returned);
    returned.list.push(2);
    expect(metadata).toEqual({ list: [1] });
  });

  it('of 1,000 levels are fine; deeper ones are refused without a crash', () => {
    const nested = (depth: number) => {
      let value: unknown = 1;
      for (let i = 0; i < depth; i++) value = [value];
      return value;
    };
    expect(success(nested(1_000)).kind).toBe('success');
    expect(invalid(nested(1_001))).toContain('deeper than 1000 levels');
    expect(invalid(nested(100_000))).toContain('deeper');
  });

  it('of too many members are refused before they fill the memory', () => {
    let value: unknown = 1;
    for (let i = 0; i < 40; i++) value = [value, value];
    expect(invalid(value)).toContain('more than 1000000 values');
  });

  it('that JSON cannot hold are refused, with the place', () => {
    const circular: { a: { list: unknown[] } } = { a: { list: [] } };
    circular.a.list.push(circular);
    expect(invalid(circular)).toContain("a circular reference at 'a.list.0'");
    expect(invalid({ a: [{ big: 1n }] })).toContain("a BigInt at 'a.0.big'");
    expect(invalid(10n)).toContain('a BigInt');
  });

  it('that throw when they are read are refused with the reason', () => {
    const getter = {
      get secret() {
        throw new Error('no access');
      },
    };
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trapped');
        },
      },
    );
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(invalid(getter)).toContain('no access');
    expect(invalid(proxy)).toContain('trapped');
    expect(invalid(revoked.proxy)).toContain('cannot be read');
    expect(
      invalid({
        get content() {
          throw new Error('late');
        },
      }),
    ).toContain('late');
    expect(
      invalid({
        toJSON() {
          throw new Error('no json');
        },
      }),
    ).toContain('no json');
  });

  it('that are not results are named', () => {
    expect(invalid(undefined)).toContain('undefined');
    expect(invalid(Symbol('s'))).toContain('symbol');
    expect(invalid(new Set([1]))).toContain('a Set');
    expect(invalid({ toJSON: () => undefined })).toContain('an object with the members toJSON');
  });
});

describe('a ToolResponse', () => {
  it('has the type that the Workbench publishes', () => {
    // Its blocks are only strings to the compiler, which checks the assignment.
    const content: Array<{ type: string; text: string }> = [{ type: 'text', text: 'Weather Report:' }];
    const response: ToolResponse = { content, metadata: { humidity: 61 } };
    expect(success(response)).toMatchObject({ content, metadata: { humidity: 61 } });
  });

  it('takes an error from `error`, in whatever form', () => {
    expect(failure({ content: 'c', error: new TypeError('bad') }).errors[0]?.message).toBe('bad');
    expect(failure({ content: 'c', error: ['a'] }).errors[0]?.message).toEqual({ json: ['a'] });
    expect(failure({ content: 'c', error: true }).errors[0]?.message).toEqual({ json: true });
    expect(success({ content: 'c', error: '' }).metadata).toBeUndefined();
  });

  it('is an error for isError true alone, and its text is the message', () => {
    const blocks = [
      { type: 'text', text: 'one' },
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'text', text: 'two' },
    ];
    expect(failure({ content: blocks, isError: true }).errors[0]?.message).toBe('one\ntwo');
    expect(success({ content: 'c', isError: 'yes' }).kind).toBe('success');
    expect(success({ content: 'c', isError: false }).metadata).toBeUndefined();
  });

  it.each([
    [{ content: '', isError: true }],
    [{ content: [], isError: true }],
    [{ content: ' ', error: '  ' }],
    [{ error: () => {} }],
    [{ content: 'x', error: Symbol('s') }],
  ])('never has an empty message: %o', (returned) => {
    expect(failure(returned).errors[0]?.message).toMatch(/\S/);
  });

  it('takes the name of an error without a message', () => {
    expect(failure(new RangeError('')).errors[0]?.message).toBe('RangeError');
    expect(failure({ error: new Error(' ') }).errors[0]?.message).toBe('Error');
  });

  it('keeps what is known beside an error', () => {
    expect(
      failure({ content: 'c', error: 'e', structuredContent: { errorCount: 2 }, metadata: { a: 1 } }),
    ).toMatchObject({
      partialResult: { errorCount: 2 },
      metadata: { a: 1 },
      exitCode: -1,
    });
  });

  it('moves a structuredContent that is not an object into metadata, where it is not lost', () => {
    expect(success({ content: 'c', structuredContent: [1] })).toMatchObject({ metadata: { structuredContent: [1] } });
    expect(success({ content: 'c', structuredContent: null }).metadata).toBeUndefined();
  });

  it('makes {value} of metadata that is not an object', () => {
    for (const metadata of [5, false, [1], 'm'])
      expect(success({ content: 'c', metadata }).metadata).toEqual({ value: metadata });
    for (const metadata of [null, {}, undefined]) expect(success({ content: 'c', metadata }).metadata).toBeUndefined();
  });

  it('of a class instance with getters is read like any other', () => {
    class Answer {
      get content() {
        return 'from a getter';
      }
    }
    expect(success(new Answer()).content).toEqual([{ type: 'text', text: 'from a getter' }]);
  });
});

describe('blocks', () => {
  const block = (value: unknown) => success({ content: [value] }).content[0];

  it.each([
    {
      type: 'text',
      text: 'x',
      annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' },
    },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', _meta: { a: 1 } },
    { type: 'resource_link', uri: 'test://x', name: 'x', size: 3, icons: [{ src: 'https://e.org/i.png' }] },
    { type: 'resource', resource: { uri: 'test://x', mimeType: 'text/plain', text: 'x' } },
    { type: 'resource', resource: { uri: 'test://x', blob: 'AA==' } },
    { type: 'text', text: 'x', ours: { any: 'thing' } },
  ])('$type passes as it is', (value) => {
    expect(block(value)).toEqual(value);
  });

  it.each<[unknown, string]>([
    [{ type: 'video', data: '' }, "the type 'video'"],
    [{ type: 'toString' }, "the type 'toString'"],
    [{ text: 'x' }, 'no type'],
    ['x', 'a string'],
    [null, 'null'],
    [{ type: 'text' }, 'whose text is not there'],
    [{ type: 'text', text: 5 }, 'whose text is not a string'],
    [{ type: 'text', text: 'x', annotations: { priority: 5 } }, 'priority is 0 to 1'],
    [{ type: 'text', text: 'x', annotations: { audience: ['me'] } }, 'audience'],
    [{ type: 'text', text: 'x', annotations: { lastModified: 'today' } }, 'lastModified'],
    [{ type: 'text', text: 'x', _meta: 'm' }, '_meta'],
    [{ type: 'image', data: 'A', mimeType: 'image/png' }, 'base64'],
    [{ type: 'image', data: 'AA\n==', mimeType: 'image/png' }, 'base64'],
    [{ type: 'image', data: 'data:image/png;base64,AAAA', mimeType: 'image/png' }, 'base64'],
    [{ type: 'image', data: 'AA-_', mimeType: 'image/png' }, 'base64'],
    [{ type: 'image', data: 'AAAA', mimeType: 'png' }, 'image/…'],
    [{ type: 'image', data: 'AAAA', mimeType: 'text/plain' }, 'image/…'],
    [{ type: 'audio', data: 'AAAA' }, 'whose mimeType is not there'],
    [{ type: 'resource_link', uri: 'no scheme', name: 'x' }, 'URI with a scheme'],
    [{ type: 'resource_link', uri: 'test://x' }, 'whose name is not there'],
    [{ type: 'resource', resource: { uri: 'test://x' } }, 'text or blob'],
    [{ type: 'resource', resource: { uri: 'test://x', text: 'x', blob: 'AAAA' } }, 'text or blob'],
    [{ type: 'resource' }, 'whose resource is not there'],
  ])('%j is refused', (value, why) => {
    const message = invalid({ content: [{ type: 'text', text: 'first' }, value] });
    expect(message).toContain('content[1]');
    expect(message).toContain(why);
  });

  it('may hold bytes instead of base64', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(block({ type: 'image', data: bytes, mimeType: 'image/png' })).toEqual({
      type: 'image',
      data: 'AQID',
      mimeType: 'image/png',
    });
    expect(block({ type: 'audio', data: Buffer.from(bytes), mimeType: 'audio/wav' })).toMatchObject({ data: 'AQID' });
    expect(block({ type: 'resource', resource: { uri: 'test://x', blob: bytes.buffer } })).toMatchObject({
      resource: { blob: 'AQID' },
    });
  });

  it('lose optional members that are null, which clients refuse', () => {
    expect(block({ type: 'text', text: 'x', annotations: null, _meta: null })).toEqual({ type: 'text', text: 'x' });
  });

  it('with megabytes of base64 are checked without running out of stack', () => {
    const data = 'AAAA'.repeat(2_000_000);
    expect(block({ type: 'image', data, mimeType: 'image/png' })).toMatchObject({ type: 'image' });
    expect(invalid({ content: [{ type: 'image', data: `${data}!AAA`, mimeType: 'image/png' }] })).toContain('base64');
  });

  it('in an endless or sparse array are refused at the first hole', () => {
    const sparse: unknown[] = [];
    sparse.length = 4_000_000_000;
    expect(invalid({ content: sparse })).toContain('content[0]');
  });
});

describe('ok and fail', () => {
  it('ok gives text and structured content', () => {
    expect(success(ok('done', { n: 1 }))).toEqual({
      kind: 'success',
      content: [{ type: 'text', text: 'done' }],
      contentIsText: false,
      structured: { n: 1 },
    });
  });

  it('ok carries command, exit code and metadata, through a spread too', () => {
    const result = { ...ok('done', undefined, { command: 'dotnet new', exitCode: 106, metadata: { a: '1' } }) };
    expect(success(result)).toMatchObject({ command: 'dotnet new', exitCode: 106, metadata: { a: '1' } });
  });

  it('fail defaults to TOOL_ERROR and keeps its words', () => {
    expect(failure(fail('City not found'))).toEqual({
      kind: 'error',
      exitCode: -1,
      errors: [{ code: 'TOOL_ERROR', message: 'City not found', category: 'Tool', rawOutput: 'City not found' }],
      content: [{ type: 'text', text: 'City not found' }],
    });
  });

  it('fail carries every fact, through a spread and a copy of the package', async () => {
    const options = {
      code: 'CITY_UNKNOWN',
      category: 'Validation',
      hint: 'Use the English name.',
      explanation: 'No such city.',
      suggestedFixes: ['Use London'],
      alternatives: ['Give coordinates'],
      documentationUrl: 'https://example.org',
      data: { command: 'lookup', exitCode: 3, stderr: 'err', additionalData: { city: 'Lodnon' } },
    } as const;
    const outcome = failure({
      ...fail('Unknown city', {
        ...options,
        suggestedFixes: ['Use London'],
        alternatives: ['Give coordinates'],
        exitCode: 3,
        metadata: { a: 1 },
        structured: { tried: 2 },
      }),
    });
    expect(outcome).toEqual({
      kind: 'error',
      exitCode: 3,
      errors: [{ ...options, message: 'Unknown city', rawOutput: 'Unknown city' }],
      metadata: { a: 1 },
      partialResult: { tried: 2 },
    });
    expect(Symbol.for('mortise.failure') in fail('x')).toBe(true);
  });

  it('fail takes category, hint and JSON-RPC code of a known code from the table', () => {
    expect(failure(fail('busy', { code: 'CONCURRENCY_CONFLICT' })).errors[0]).toMatchObject({
      category: 'Concurrency',
      mcpErrorCode: -32603,
      hint: expect.any(String),
    });
  });

  it('fail with a hint says it in its text, for clients that see only that', () => {
    const { content } = failure(
      fail('bad', { hint: 'try this', suggestedFixes: ['a', 'b', 'c', 'd'], documentationUrl: 'https://e.org' }),
    );
    expect(content).toEqual([
      { type: 'text', text: 'bad\nHint: try this\nFix: a\nFix: b\nFix: c\nDocs: https://e.org' },
    ]);
  });

  it('fail with several errors keeps them all, and its message sums up', () => {
    const error = {
      code: 'CS1002',
      message: '; expected',
      category: 'Compilation' as const,
      rawOutput: '',
      file: 'a.cs',
      line: 3,
      column: 4,
    };
    const outcome = failure(fail('Build failed: 2 errors', { errors: [error, { ...error, line: 5 }], exitCode: 1 }));
    expect(outcome).toEqual({
      kind: 'error',
      exitCode: 1,
      summary: 'Build failed: 2 errors',
      errors: [error, { ...error, line: 5 }],
    });
  });

  it('own blocks put in the place of the text of fail are kept', () => {
    const content = [{ type: 'text' as const, text: 'mine' }];
    expect(failure({ ...fail('x', { code: 'MINE' }), content }).content).toEqual(content);
  });

  it('members of the wrong type are ignored', () => {
    const bad = {
      code: 5,
      category: 'Nope',
      hint: 7,
      suggestedFixes: 'fix',
      data: { exitCode: 'x', additionalData: { n: 1, o: {} } },
    };
    expect(failure(fail('x', bad as never)).errors[0]).toEqual({
      code: 'TOOL_ERROR',
      message: 'x',
      category: 'Tool',
      rawOutput: 'x',
      data: { additionalData: { n: '1' } },
    });
    expect(failure({ content: 'c', [Symbol.for('mortise.failure')]: { errors: 'none' } }).errors).toHaveLength(1);
  });

  it('fail never has an empty message', () => {
    expect(failure(fail('')).errors[0]?.message).toMatch(/\S/);
  });
});

describe('whatever a tool returns', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withObjectString: true,
    withBoxedValues: true,
    key: fc.oneof(
      fc.string(),
      fc.constantFrom(
        'content',
        'error',
        'isError',
        'metadata',
        'structuredContent',
        'type',
        'text',
        'toJSON',
        '__proto__',
      ),
    ),
  });
  const response = fc.record(
    {
      content: fc.oneof(
        fc.string(),
        fc.array(
          fc.record(
            {
              type: fc.constantFrom('text', 'image'),
              text: anything,
              data: fc.base64String(),
              mimeType: fc.constantFrom('image/png', 'x'),
            },
            { requiredKeys: ['type'] },
          ),
        ),
        anything,
      ),
      error: anything,
      isError: fc.boolean(),
      metadata: anything,
      structuredContent: anything,
    },
    { requiredKeys: [] },
  );

  it('normalise never throws, and gives an outcome that is pure JSON with a message in every error', () => {
    fc.assert(
      fc.property(fc.oneof(anything, response), (returned) => {
        const outcome: Outcome = normaliseReturned(returned);
        expect(['success', 'error']).toContain(outcome.kind);
        expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
        if (outcome.kind !== 'error') return;
        expect(outcome.errors.length).toBeGreaterThan(0);
        for (const { message } of outcome.errors)
          expect(typeof message === 'object' || message.trim() !== '').toBe(true);
      }),
      { numRuns: runs(400) },
    );
  });

  it('what JSON can hold comes back as JSON would give it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (returned) => {
        fc.pre(typeof returned === 'object' && returned !== null && !('content' in returned) && !('error' in returned));
        const [block] = success(returned).content;
        expect(block).toEqual({ type: 'json', value: JSON.parse(JSON.stringify(returned)), indent: 2 });
      }),
    );
  });
});

describe('what a plugin returns in another form', () => {
  const read = (returned: unknown, isClassTool = false) => {
    const style = isClassTool ? 'class' : 'registered';
    const warnings: string[] = [];
    const outcome = normaliseReturned(returned, { style, warn: (message) => warnings.push(message) });
    return { outcome, warnings };
  };

  it('is read with a warning, and not at all from a mounted server', () => {
    const { outcome, warnings } = read({ content: [{ type: 'markdown', text: '# a' }] });
    expect(outcome).toMatchObject({ kind: 'success', content: [{ type: 'text', text: '# a' }] });
    expect(warnings).toEqual(["a content block has the type 'markdown', which MCP does not have; it is sent as text"]);
    expect(normaliseReturned({ content: [{ type: 'markdown', text: '# a' }] })).toMatchObject({
      errors: [{ code: 'TOOL_INVALID_RESULT' }],
    });
  });

  it('says that content is neither text nor blocks', () => {
    expect(read({ content: 5 }).warnings).toEqual([
      'content is a number, not a string or an array of blocks; the whole object is shown as JSON',
    ]);
  });

  it('is an error of a class tool whatever else it holds', () => {
    for (const returned of [
      { isError: true, message: 'no' },
      { isError: true, content: null, message: 'no' },
      { isError: true, content: 5, error: 'no' },
      { isError: true, content: [{ type: 'text', text: 'no' }] },
      { IsError: true, Content: [{ Type: 'text', Text: 'no' }] },
    ]) {
      expect(read(returned, true).outcome, JSON.stringify(returned)).toMatchObject({
        kind: 'error',
        errors: [{ code: 'TOOL_ERROR', message: 'no' }],
      });
    }
    expect(read({ isError: true }, true).outcome).toMatchObject({ errors: [{ code: 'TOOL_ERROR' }] });
    expect(read({ isError: true, message: 'no' }).outcome.kind).toBe('success');
  });

  it('names each member that is in PascalCase', () => {
    const { outcome, warnings } = read({ Content: [{ Type: 'text', Text: 'hi' }] }, true);
    expect(outcome).toMatchObject({ kind: 'success', content: [{ type: 'text', text: 'hi' }] });
    expect(warnings).toEqual([
      "a member of the result is in PascalCase: 'Content' is read as 'content'; MCP has it in camelCase",
      "a member of the result is in PascalCase: 'Type' is read as 'type', 'Text' is read as 'text'; MCP has it in camelCase",
    ]);
  });

  it('keeps what it returned in rawOutput when it cannot be used', () => {
    const returned = { content: [{ type: 'chart', values: [1, 2] }] };
    expect(read(returned).outcome).toMatchObject({
      errors: [{ code: 'TOOL_INVALID_RESULT', rawOutput: { json: returned } }],
    });
    const circular: Record<string, unknown> = { content: 'found', count: 10n };
    circular.self = circular;
    const rows: [returned: unknown, shown: unknown][] = [
      [
        { content: 'found', count: 10n },
        { content: 'found', count: '10' },
      ],
      [circular, { content: 'found', count: '10', self: '[Circular]' }],
      [
        [1n, () => {}],
        ['1', null],
      ],
      [new Map([['Paris', 12]]), [['Paris', 12]]],
      [new Set(['Paris']), ['Paris']],
    ];
    for (const [value, json] of rows) {
      expect(read(value).outcome).toMatchObject({ errors: [{ code: 'TOOL_INVALID_RESULT', rawOutput: { json } }] });
    }
  });
});
