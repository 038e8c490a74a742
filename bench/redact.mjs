// Throughput of the redactor: `npm run build && node bench/redact.mjs [rounds]`. The bound is on processor time, which other load
// on the machine changes less than the time that passes. Each text is taken once a round, in another order each time: a clock
// that is slow for some seconds is slow for none of them in all rounds, and no text pays for the garbage of the others in all of them.
import { readFileSync } from 'node:fs';
import { createRedactor } from '../packages/redact/dist/index.js';

const MIB = 1024 * 1024;
/** Texts of nothing but names of secrets are the slowest: every form of assignment is tried at each of them. Logs take a tenth of that. */
const MIN_MB_PER_SECOND = 10;
const MAX_RATIO = 8;
const ROUNDS = Number(process.argv[2] ?? 20);
const SECRETS = Array.from({ length: 20 }, (_, index) => `configured-${index}/Value+${index * 7919}`);
const UNITS = JSON.parse(readFileSync(new URL('../packages/redact/test/adversarial.json', import.meta.url), 'utf8'));
const redactor = createRedactor({ secrets: SECRETS });

const CLEAN_LINES = [
  '  Determining projects to restore...',
  '  Restored /home/runner/work/shop/src/Shop.Api/Shop.Api.csproj (in 1.27 sec).',
  '  Shop.Domain -> /home/runner/work/shop/src/Shop.Domain/bin/Release/net10.0/Shop.Domain.dll',
  '/src/Shop.Api/Program.cs(42,13): warning CS8602: Dereference of a possibly null reference. [/src/Shop.Api/Shop.Api.csproj]',
  "/src/Shop.Api/Tokens.cs(7,31): error CS0246: The type or namespace name 'SecurityToken' could not be found (are you missing a using directive or an assembly reference?) [/src/Shop.Api/Shop.Api.csproj]",
  'MSB3277: Found conflicts between different versions of "Microsoft.Extensions.Primitives, Version=8.0.0.0, Culture=neutral, PublicKeyToken=adb9793829ddae60" that could not be resolved.',
  '[12:01:44 INF] Request starting HTTP/1.1 GET https://localhost:5001/api/orders?page=2&size=50 - null null',
  'Passed!  - Failed:     0, Passed:   142, Skipped:     0, Total:   142, Duration: 3 s - Shop.Tests.dll (net10.0)',
];
const SECRET_LINES = [
  '[12:01:45 DBG] Opening connection Server=db;Database=Shop;User Id=sa;Password=Sup3r!;Encrypt=true',
  '[12:01:45 DBG] Authorization: Bearer abcdef0123456789',
];

function fill(unit, chars) {
  return unshared(unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars));
}

/** A string of its own, as texts are that come out of JSON: reading a part of another takes longer. */
function unshared(text) {
  return JSON.parse(JSON.stringify(text));
}

/** A text, and the best times of its runs: processor time (user and system together, since the kernel estimates how these split), and what passed. */
function timed(text) {
  return { text, cpuMs: Number.POSITIVE_INFINITY, wallMs: Number.POSITIVE_INFINITY };
}

function run(one) {
  const start = process.cpuUsage();
  const startedAt = performance.now();
  redactor.text(one.text);
  one.wallMs = Math.min(one.wallMs, performance.now() - startedAt);
  one.cpuMs = Math.min(one.cpuMs, cpuMsSince(start));
}

function cpuMsSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function shuffled(rows) {
  return rows
    .map((row) => ({ row, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ row }) => row);
}

/** With a quarter of the text, so that a linear redactor shows about 4. */
function subject(name, text) {
  return { name, whole: timed(text), quarter: timed(unshared(text.slice(0, text.length / 4))) };
}

function rowOf({ name, whole, quarter }) {
  const megabytes = whole.text.length / MIB;
  return {
    name,
    MB: megabytes,
    'CPU ms': Math.round(whole.cpuMs),
    'MB/s of CPU': +(megabytes / (whole.cpuMs / 1000)).toFixed(1),
    'MB/s': +(megabytes / (whole.wallMs / 1000)).toFixed(1),
    'ratio of 4x': +(whole.cpuMs / quarter.cpuMs).toFixed(1),
  };
}

/** Small texts are too quick for the clock to tell their ratio. */
function isLinear(row) {
  return row['ratio of 4x'] <= MAX_RATIO || row['CPU ms'] <= 50;
}

/** What a call costs, in nanoseconds. */
function nsOfCall(text, calls) {
  for (let call = 0; call < calls / 10; call++) redactor.text(text);
  const start = process.cpuUsage();
  for (let call = 0; call < calls; call++) redactor.text(text);
  return (cpuMsSince(start) * 1e6) / calls;
}

const logs = [
  subject('build log without secrets', fill(`${CLEAN_LINES.join('\n')}\n`, 10 * MIB)),
  subject('build log, every fifth line a secret', fill(`${[...CLEAN_LINES, ...SECRET_LINES].join('\n')}\n`, 10 * MIB)),
];
const adversarial = UNITS.map((unit) => subject(JSON.stringify(unit), fill(unit, MIB)));
for (let round = 0; round < ROUNDS; round++) {
  for (const { whole, quarter } of shuffled([...logs, ...adversarial])) for (const one of [quarter, whole]) run(one);
}
const slow = [...logs, ...adversarial]
  .map(rowOf)
  .filter((row) => row['MB/s of CPU'] < MIN_MB_PER_SECOND || !isLinear(row));

const missed = slow.length === 0 ? 'every row keeps it' : `missed by ${slow.map(({ name }) => name).join(', ')}`;
console.log(`Bound: ${MIN_MB_PER_SECOND} MB a second of processor time, linear in the length: ${missed}.`);
console.table(logs.map(rowOf));
console.table(adversarial.map(rowOf));

const SHORT = {
  'short clean string': 'Build succeeded: 0 errors, 2 warnings in 00:00:04.21',
  '200 characters without a secret': CLEAN_LINES.join(' ').slice(0, 200),
  '200 characters with one': `${SECRET_LINES[0]} ${CLEAN_LINES.join(' ')}`.slice(0, 200),
};
for (const [name, text] of Object.entries(SHORT)) {
  console.log(`${name}: ${nsOfCall(text, 500_000).toFixed(0)} ns a call`);
}
if (slow.length > 0) process.exitCode = 1;
