import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CallContext, fail, notSecret, ok, type RegisterApi, secret } from '@mortise/plugin';
import { notSecretKey } from '@mortise/plugin/runtime';
import { assertResult, openPlugin, resultMatchers, runTool } from '@mortise/plugin/testing';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'mortise-test-kit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const TYPESCRIPT = `
  import { defineTool } from '@mortise/plugin';
  import { word } from './word.js';
  export enum Mood { Good = 'good' }
  export const typed = defineTool({
    name: 'typed', title: 'Typed', description: 'd', inputSchema: { type: 'object' }, run: (): string => word + ' ' + Mood.Good,
  });`;

describe('what the server loads', () => {
  const kit = fileURLToPath(new URL('../../', import.meta.url));

  it('is loaded: TypeScript with helpers, where Node.js cannot import it', async () => {
    write('word.ts', "export const word: string = 'hello';");
    const plugin = await openPlugin(write('typed.ts', TYPESCRIPT));
    expect(plugin.problems).toEqual([]);
    expect((await plugin.callTool('typed')).text).toBe('hello good');
  });

  it('is loaded: a folder by its package.json, and by its index file', async () => {
    write('package/package.json', '{"type": "module", "exports": "./src/main.ts"}');
    write('package/src/word.ts', "export const word: string = 'packaged';");
    write('package/src/main.ts', TYPESCRIPT);
    mkdirSync(join(folder, 'package/node_modules/@mortise'), { recursive: true });
    symlinkSync(kit, join(folder, 'package/node_modules/@mortise/plugin'), 'junction');
    expect((await (await openPlugin(join(folder, 'package'))).callTool('typed')).text).toBe('packaged good');
    const cjs = "module.exports.register = (api) => { api.registerTool({ name: 'a', run: () => 'index' }); };";
    write('plain/index.cjs', cjs);
    expect((await (await openPlugin(join(folder, 'plain'))).callTool('a')).text).toBe('index');
  });

  it('is refused with the reason', async () => {
    write('broken/package.json', '{"main": "missing.js"}');
    await expect(openPlugin(join(folder, 'broken'))).rejects.toThrow("main names 'missing.js', which does not exist");
    mkdirSync(join(folder, 'empty'));
    await expect(openPlugin(join(folder, 'empty'))).rejects.toThrow('the folder has no index file');
  });
});

describe('texts that secret() marked', () => {
  const register = (api: RegisterApi) => {
    api.logger.info(`token ${secret('hunter2')}`);
    api.registerTool({
      name: 'login',
      run: (_: unknown, { progress, logger }) => {
        progress.report(50, `with ${secret('hunter2')}`);
        logger.info('logged in', { token: secret('hunter2') });
        return ok(`token ${secret('hunter2')}`, { token: secret('hunter2') });
      },
    });
    api.registerResource({ uri: 'a://b', name: 'r', read: () => secret('hunter2') });
    api.registerPrompt({ name: 'p', get: () => secret('hunter2') });
  };

  it('are replaced in results, progress, logs, resources and prompts', async () => {
    const plugin = await openPlugin({ register });
    const result = await plugin.callTool('login');
    expect(result).toMatchObject({
      text: 'token [REDACTED]',
      structured: { token: '[REDACTED]' },
      progress: [{ message: 'with [REDACTED]' }],
      logs: [{ fields: { token: '[REDACTED]' } }],
    });
    expect(plugin.logs).toMatchObject([{ message: 'token [REDACTED]' }]);
    expect((await plugin.readResource('a://b')).contents).toMatchObject([{ text: '[REDACTED]' }]);
    expect((await plugin.getPrompt('p')).messages).toMatchObject([{ content: { text: '[REDACTED]' } }]);
  });

  it('are shown with unsafeOutput, without the marks', async () => {
    const { callTool } = await openPlugin({ register });
    const result = await callTool('login', {}, { unsafeOutput: true });
    expect(result).toMatchObject({ text: 'token hunter2', structured: { token: 'hunter2' } });
  });
});

describe('texts that notSecret() marked', () => {
  const run = (_: unknown, { logger }: CallContext) => {
    logger.info('page', { token: notSecret('page-2') });
    return ok(`token=${notSecret('page-2')}`, { token: notSecret('page-2'), mixed: notSecret(`a ${secret('b')}`) });
  };
  const shown = {
    text: 'token=page-2',
    structured: { token: 'page-2', mixed: 'a [REDACTED]' },
    logs: [{ fields: { token: 'page-2' } }],
  };

  it('are shown without marks, in a test and in a process with a server', async () => {
    // Another file of this process may have made the key of a server.
    Reflect.deleteProperty(globalThis, Symbol.for('mortise.not-secret-key'));
    expect(notSecret('page-2')).toBe('page-2');
    expect(await runTool({ name: 't', run })).toMatchObject(shown);
    notSecretKey();
    expect(notSecret('page-2')).not.toBe('page-2');
    expect(await runTool({ name: 't', run })).toMatchObject(shown);
  });
});

describe('assertResult and resultMatchers', () => {
  const run = (returned: unknown) => runTool({ name: 't', run: () => returned });

  it('accept what is there, and compare only what is given', async () => {
    const success = await run(ok('Hello, Ada!', { who: { name: 'Ada', age: 36 } }));
    assertResult(success);
    assertResult(success, { text: 'Hello, Ada!' });
    assertResult(success, { text: /ada/i, structured: { who: { name: 'Ada' } } });
    assertResult(await run(fail('No one', { code: 'INVALID_PARAMS' })), { error: 'INVALID_PARAMS', message: /no/i });
  });

  it.each([
    [{ text: 'Bye' }, /Expected the text "Bye", got "Hello"/],
    [{ text: /bye/ }, /Expected the text \/bye\/, got "Hello"/],
    [{ structured: { a: { b: 2 } } }, /Expected structured\.a\.b to be 2, got 1/],
    [{ structured: { c: 1 } }, /Expected structured\.c to be 1, got nothing/],
    [{ error: 'TOOL_ERROR' }, /Expected the error TOOL_ERROR, but the call succeeded/],
  ])('say what differs from %j, and show the result', async (expected, message) => {
    const result = await run(ok('Hello', { a: { b: 1 } }));
    expect(() => assertResult(result, expected)).toThrow(message);
    expect(() => assertResult(result, expected)).toThrow(/The result: \{\n {2}"isError": false/);
  });

  it('say that a call failed', async () => {
    const failed = await run(fail('No one to greet'));
    expect(() => assertResult(failed)).toThrow('The call failed with TOOL_ERROR: No one to greet');
    expect(() => assertResult(failed, { error: 'TOOL_BUSY' })).toThrow('Expected the error TOOL_BUSY');
    expect(() => assertResult(failed, { error: 'TOOL_ERROR', message: 'x' })).toThrow('Expected the message "x"');
  });

  it('extend expect', async () => {
    expect.extend(resultMatchers);
    const success = await run(ok('Hello', { a: 1 }));
    const failed = await run(fail('No one'));
    type Matchers = Record<keyof typeof resultMatchers, (...expected: unknown[]) => void>;
    const matchers = (result: unknown) => expect(result) as unknown as Matchers & { not: Matchers };
    matchers(success).toSucceed();
    matchers(success).toHaveText(/hell/i);
    matchers(success).toHaveStructured({ a: 1 });
    matchers(failed).toFailWith('TOOL_ERROR', 'No one');
    matchers(failed).not.toSucceed();
    expect(() => matchers(success).toHaveText('Bye')).toThrow('Expected the text "Bye", got "Hello"');
    expect(() => matchers(success).not.toSucceed()).toThrow('was expected to differ');
  });
});
