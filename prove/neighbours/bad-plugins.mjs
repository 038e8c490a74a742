import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the code of each plugin can use. */
const PRELUDE = `import * as child from 'node:child_process';
import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const never = () => new Promise(() => {});
const turn = () => new Promise(setImmediate);
const eater = 'const all = []; setInterval(() => all.push(Buffer.alloc(8 << 20, 1)), 10)';
const write = (fd, text) => { try { fs.writeSync(fd, text); } catch {} };
`;

/** What a call of a bad plugin does; those that leave the event loop free come first. Each ends after a second at the latest. */
const FREE = {
  'throws-late': `setTimeout(() => { throw new Error('late'); }, 50); await never();`,
  'rejects-unheard': `Promise.reject(new Error('unheard')); await sleep(100);`,
  'kills-itself': `process.kill(process.pid, 'SIGKILL'); await never();`,
  'never-answers': 'await never();',
  'fills-buffers': 'const all = []; for (;;) { all.push(Buffer.alloc(8 << 20, 1)); await sleep(5); }',
  'fills-the-heap':
    'const all = []; for (;;) { for (let i = 0; i < 1e5; i++) all.push({ i, text: String(i) }); await turn(); }',
  'holds-memory':
    'const all = []; while (!signal.aborted) { if (all.length < 15) all.push(Buffer.alloc(8 << 20, 1)); all[0].fill(2); await turn(); }',
  'has-a-child-that-eats': `child.spawn(process.execPath, ['-e', eater]); await never();`,
  'leaves-a-child': `child.spawn('sleep', ['2'], { stdio: 'inherit', detached: true }); process.exit(1);`,
  'child-prints': `child.spawn(process.execPath, ['-e', 'for (;;) console.log("x".repeat(1000))'], { stdio: 'inherit' }); await never();`,
  'floods-the-log': `for (;;) { for (let i = 0; i < 900; i++) logger.info('flood', { i }); await turn(); }`,
  'floods-progress': `for (let i = 0; !signal.aborted; i++) { progress.report(i / 1e6, 'x'.repeat(1000) + i); await turn(); }`,
  'floods-lists': `for (let i = 0; !signal.aborted; i++) {
    const more = Array.from({ length: 50 }, (_, at) => api.registerTool({ name: self + '_more_' + at, description: String(i), inputSchema: { type: 'object' }, run: () => 'x' }));
    await turn();
    for (const tool of more) tool.remove();
  }`,
  'writes-garbage': `write(3, 'garbage\\n'); await never();`,
  'writes-other-json': `write(3, 'null\\n'); await never();`,
  'closes-its-channel': `fs.closeSync(3); await never();`,
};
const BLOCKING = {
  'busy-loop': 'for (;;);',
  'waits-in-a-system-call': `child.execSync('sleep 5');`,
  'waits-atomically': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
  exits: 'process.exit(3);',
  aborts: 'process.abort();',
  'slow-pattern': `/^(a+)+$/.test('a'.repeat(40) + 'b');`,
  'prints-without-end': `for (;;) write(1, '{"jsonrpc":"2.0","id":1,"result":{}}\\n'.repeat(1000));`,
  'floods-its-channel': `for (;;) write(3, '{"progress":1,"report":{"done":1}}\\n'.repeat(1000));`,
  'line-without-end': `for (;;) write(3, 'x'.repeat(65536));`,
  'huge-text': `return 'word '.repeat(1_500_000);`,
  'too-huge-text': `return 'x'.repeat(33 * 1024 * 1024);`,
  'huge-data': `return { content: [], structuredContent: { list: Array.from({ length: 40_000 }, (_, i) => ({ i })) } };`,
  'many-blocks': `return { content: new Array(4_900).fill({ type: 'text', text: 'password=hunter2secret' }) };`,
  'deep-data': `let deep = 1; for (let i = 0; i < 5_000; i++) deep = { deep }; return { content: [], structuredContent: deep };`,
  'invalid-output': `return { content: [], structuredContent: { list: 'none' } };`,
  'circular-output': `const all = {}; all.all = all; return { content: [], structuredContent: all };`,
};

/** What is bad before any call: the plugin may have no tool then. */
const AT_LOAD = {
  'exits-at-load': 'process.exit(5);',
  'throws-at-load': `throw new Error('at load');`,
  'loops-at-load': 'for (;;);',
  'never-registers': 'await never();',
  'huge-description': `api.registerTool({ name: self + '_large', description: 'word '.repeat(2_000_000), inputSchema: { type: 'object' }, run: () => 'x' });`,
  'huge-schema': `const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => ['p' + i, { type: 'string', pattern: '^(x+)+' + i + '$' }]));
  api.registerTool({ name: self + '_large', description: 'd', inputSchema: { type: 'object', properties }, run: () => 'x' });`,
  'many-tools': `for (let i = 0; i < 20_000; i++) api.registerTool({ name: self + '_' + i, description: 'd', inputSchema: { type: 'object' }, run: () => 'x' });`,
  'busy-after-load': `setTimeout(() => { for (;;); }, 200);`,
  'prints-at-load': `console.log('{"jsonrpc":"2.0","id":1,"result":{}}');`,
};
/** These do not come to register a tool. */
const WITHOUT_TOOL = ['exits-at-load', 'throws-at-load', 'loops-at-load', 'never-registers'];

const sourceOf = ({ name, atLoad = '', run }) => `${PRELUDE}
const self = '${name}';
export async function register(api) {
  api.registerTool({
    name: self, description: 'Does harm.', inputSchema: { type: 'object' }, timeoutMs: 1000,
    outputSchema: { type: 'object', properties: { list: { type: 'array' } } },
    async run(_, { signal, logger, progress }) { ${run} },
  });
  ${atLoad}
}`;

/** Writes bad plugins: each harm alone, and then combinations of two or three. @returns the names of their tools */
export function writeBadPlugins(folder, { random, count }) {
  mkdirSync(folder, { recursive: true });
  const harms = { ...FREE, ...BLOCKING };
  const combined = () => {
    const [free, blocking] = [random.pick(Object.keys(FREE)), random.pick(Object.keys(BLOCKING))];
    const atLoad = random.pick([undefined, 'busy-after-load', 'prints-at-load', 'huge-description', 'many-tools']);
    const run = `void (async () => { ${FREE[free]} })().catch(() => {}); await sleep(100); ${BLOCKING[blocking]}`;
    return { what: [atLoad, free, blocking].filter(Boolean).join(' + '), atLoad: AT_LOAD[atLoad], run };
  };
  const plugins = [
    ...Object.entries(harms).map(([what, run]) => ({ what, run })),
    ...Object.entries(AT_LOAD).map(([what, atLoad]) => ({ what, atLoad, run: FREE['never-answers'] })),
  ];
  while (plugins.length < count) plugins.push(combined());
  return plugins.slice(0, count).map((plugin, index) => {
    const name = `bad_${index}`;
    writeFileSync(join(folder, `${name}.mjs`), sourceOf({ name, ...plugin }));
    return { name, what: plugin.what, isListed: !WITHOUT_TOOL.includes(plugin.what) };
  });
}
