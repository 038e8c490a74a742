/** A plugin that does harm, and what its caller hears of it. */
export interface BadPlugin {
  name: string;
  /** What its tool runs: `(input, context) => …`. */
  run: string;
  /** Default: none, the call succeeds. */
  code?: string;
  /** Is in the text of the result. */
  message?: RegExp;
  timeoutMs?: number;
}

/** What is allowed to each: what returns too much needs less, so that its result is measured and not its memory. */
export const MAX_MEMORY_MB = 400;

const NEVER = 'await new Promise(() => {})';
const NEXT_TICK = 'await new Promise(setImmediate)';

/** The result of a call of each (docs/spec/plugin-processes.md#crashes). */
export const BAD_PLUGINS: BadPlugin[] = [
  { name: 'throws', run: `() => { throw new Error('boom'); }`, code: 'TOOL_EXCEPTION', message: /boom/ },
  { name: 'rejects', run: `async () => { throw new Error('boom'); }`, code: 'TOOL_EXCEPTION', message: /boom/ },
  { name: 'loops', run: `() => { for (;;); }`, timeoutMs: 200, code: 'OPERATION_TIMEOUT', message: /within 200 ms/ },
  {
    name: 'waits-atomically',
    run: `() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
    timeoutMs: 200,
    code: 'OPERATION_TIMEOUT',
  },
  {
    name: 'blocks-in-a-system-call',
    run: `() => child.execSync('sleep 100')`,
    timeoutMs: 200,
    code: 'OPERATION_TIMEOUT',
  },
  { name: 'exits', run: `() => process.exit(3)`, code: 'PLUGIN_CRASHED', message: /exited with code 3/ },
  { name: 'exits-well', run: `() => process.exit(0)`, code: 'PLUGIN_CRASHED', message: /exited with code 0/ },
  {
    name: 'kills-itself',
    run: `async () => { process.kill(process.pid); ${NEVER}; }`,
    code: 'PLUGIN_CRASHED',
    message: /SIGTERM/,
  },
  {
    name: 'kills-itself-at-once',
    run: `async () => { process.kill(process.pid, 'SIGKILL'); ${NEVER}; }`,
    code: 'PLUGIN_CRASHED',
    message: /SIGKILL/,
  },
  { name: 'aborts', run: `() => process.abort()`, code: 'PLUGIN_CRASHED', message: /SIGABRT/ },
  {
    name: 'fills-the-heap',
    run: `() => { const map = new Map(); for (let i = 0; ; i++) map.set(i, new Array(1000).fill(i)); }`,
    code: 'PLUGIN_CRASHED',
    message: /Plugins\.MaxMemoryMb allows 400|out of memory/,
  },
  {
    name: 'fills-buffers',
    run: `async () => { const all = []; for (;;) { all.push(Buffer.alloc(8 << 20, 1)); await new Promise((resolve) => setTimeout(resolve, 10)); } }`,
    code: 'PLUGIN_CRASHED',
    message: /it used \d+ MB of memory; Plugins\.MaxMemoryMb allows 400/,
  },
  {
    name: 'has-a-child-that-eats-memory',
    run: `async () => { child.spawn(process.execPath, ['-e', EATER]); ${NEVER}; }`,
    code: 'PLUGIN_CRASHED',
    message: /it used \d+ MB of memory/,
  },
  {
    name: 'has-a-child-that-left-and-eats-memory',
    run: `async () => { child.spawn(process.execPath, ['-e', EATER], { detached: true, stdio: 'ignore' }); ${NEVER}; }`,
    code: 'PLUGIN_CRASHED',
    message: /it used \d+ MB of memory/,
  },
  {
    name: 'prints-last-words',
    run: `() => { console.log('one'); console.error('last words'); process.exit(1); }`,
    code: 'PLUGIN_CRASHED',
    message: /last words/,
  },
  {
    name: 'throws-in-a-timer',
    run: `async () => { setTimeout(() => { throw new Error('late boom'); }); ${NEVER}; }`,
    code: 'PLUGIN_CRASHED',
    message: /late boom/,
  },
  { name: 'rejects-unheard', run: `() => { Promise.reject(new Error('unheard')); return 'fine'; }`, message: /^fine$/ },
  { name: 'prints', run: `() => { console.log('{"jsonrpc":"2.0"}'); return 'printed'; }`, message: /^printed$/ },
  {
    name: 'writes-to-stdout',
    run: `() => { process.stdout.write('raw\\n'); return 'written'; }`,
    message: /^written$/,
  },
  { name: 'writes-to-fd-1', run: `() => { fs.writeSync(1, 'raw\\n'); return 'written'; }`, message: /^written$/ },
  {
    name: 'has-a-child-that-prints',
    run: `() => { child.execFileSync('sh', ['-c', 'echo out; echo err >&2'], { stdio: 'inherit' }); return 'ran'; }`,
    message: /^ran$/,
  },
  {
    name: 'reads-stdin',
    run: `() => 'read ' + fs.readFileSync(0).length + ' bytes'`,
    message: /^read 0 bytes$/,
  },
  {
    name: 'leaves-a-child-with-its-pipes',
    run: `() => { child.spawn('sleep', ['100'], { stdio: 'inherit' }); process.exit(1); }`,
    code: 'PLUGIN_CRASHED',
    message: /exited with code 1/,
  },
  {
    name: 'leaves-a-child-that-left',
    run: `() => { child.spawn('sleep', ['100'], { stdio: 'inherit', detached: true }); process.exit(1); }`,
    code: 'PLUGIN_CRASHED',
    message: /exited with code 1/,
  },
  {
    name: 'prints-without-end',
    run: `() => { for (;;) fs.writeSync(1, 'y'.repeat(70) + '\\n'); }`,
    timeoutMs: 500,
    code: 'OPERATION_TIMEOUT',
  },
  {
    name: 'floods-the-log',
    run: `async (_, { logger }) => { for (;;) { for (let i = 0; i < 900; i++) logger.info('flood'); ${NEXT_TICK}; } }`,
    code: 'PLUGIN_CRASHED',
    message: /it exceeded the message rate limit/,
  },
  {
    name: 'logs-a-burst',
    run: `(_, { logger }) => { for (let i = 0; i < 100000; i++) logger.info('burst'); return 'logged'; }`,
    message: /^logged$/,
  },
  {
    name: 'reports-without-end',
    run: `async (_, { progress, signal }) => { for (let i = 0; !signal.aborted; i++) { progress.report(i / 1e6, 'x'.repeat(1000) + i); ${NEXT_TICK}; } }`,
    timeoutMs: 500,
    code: 'OPERATION_TIMEOUT',
  },
  {
    name: 'floods-the-channel',
    run: `() => { for (;;) { try { fs.writeSync(3, '{"progress":1,"report":{"done":1}}\\n'.repeat(1000)); } catch {} } }`,
    code: 'PLUGIN_CRASHED',
    message: /it (exceeded the message rate limit|sent a line that is not JSON)/,
  },
  {
    name: 'writes-garbage-to-the-channel',
    run: `async () => { fs.writeSync(3, 'garbage\\n'); ${NEVER}; }`,
    code: 'PLUGIN_CRASHED',
    message: /it sent a line that is not JSON/,
  },
  {
    name: 'writes-other-json-to-the-channel',
    run: `async () => { fs.writeSync(3, 'null\\n'); ${NEVER}; }`,
    code: 'PLUGIN_CRASHED',
    message: /it sent an invalid message/,
  },
  {
    name: 'writes-a-line-without-end-to-the-channel',
    run: `() => { for (;;) { try { fs.writeSync(3, 'x'.repeat(65536)); } catch {} } }`,
    code: 'PLUGIN_CRASHED',
    message: /its message is too large: its message has more than 8,388,608 bytes; Plugins\.Limits\.MessageBytes/,
  },
  {
    name: 'closes-the-channel',
    run: `async () => { fs.closeSync(3); ${NEVER}; }`,
    code: 'PLUGIN_CRASHED',
    message: /it closed its connection to the server|it ended/,
  },
  {
    name: 'returns-too-much',
    run: `() => 'x'.repeat(33 * 1024 * 1024)`,
    code: 'TOOL_INVALID_RESULT',
    message: /The message to the server has [\d,]+ bytes; Plugins\.Limits\.MessageBytes allows 8,388,608/,
  },
];

const PRELUDE = `const fs = require('node:fs');
const child = require('node:child_process');
const EATER = 'const all = []; setInterval(() => all.push(Buffer.alloc(8 << 20, 1)), 10)';
`;

/** The plugin file of a row: a tool of the same name, and `<name>_warm`, which only starts the process. */
export function sourceOf({ name, run, timeoutMs }: BadPlugin): string {
  const more = timeoutMs === undefined ? '' : `timeoutMs: ${timeoutMs}, `;
  return `${PRELUDE}module.exports.register = (api) => {
  api.registerTool({ name: '${name}', description: 'bad', inputSchema: { type: 'object' }, ${more}run: ${run} });
  api.registerTool({ name: '${name}_warm', description: 'harmless', inputSchema: { type: 'object' }, run: () => 'warm' });
};`;
}
