// Throughput of the redactor: `npm run build && node bench/redact.mjs`. Processor time, so that other load counts less.
import { readFileSync } from 'node:fs';
import { createRedactor } from '../packages/server/dist/redact/redactor.js';

const MIB = 1024 * 1024;
const LOG_BUDGET_MS = 500;
const MAX_RATIO = 8;
const SECRETS = Array.from({ length: 20 }, (_, index) => `configured-${index}/Value+${index * 7919}`);
const UNITS = JSON.parse(
  readFileSync(new URL('../packages/server/test/redact/adversarial.json', import.meta.url), 'utf8'),
);
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

function bestMs(text, runs) {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = process.cpuUsage();
    redactor.text(text);
    best = Math.min(best, cpuMs(start));
  }
  return best;
}

/** User and system time together: the kernel tells the sum exactly, and estimates how it splits. */
function cpuMs(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Against a quarter of the text, so that a linear redactor shows about 4. */
function measure(name, text, runs = 3) {
  const quarterMs = bestMs(unshared(text.slice(0, text.length / 4)), runs);
  const ms = bestMs(text, runs);
  const megabytes = text.length / MIB;
  return {
    name,
    MB: megabytes,
    ms: Math.round(ms),
    'MB/s': +(megabytes / (ms / 1000)).toFixed(1),
    'ratio of 4x': +(ms / quarterMs).toFixed(1),
  };
}

const logs = [
  measure('build log without secrets', fill(`${CLEAN_LINES.join('\n')}\n`, 10 * MIB)),
  measure('build log, every fifth line a secret', fill(`${[...CLEAN_LINES, ...SECRET_LINES].join('\n')}\n`, 10 * MIB)),
];
const adversarial = UNITS.map((unit) => measure(JSON.stringify(unit), fill(unit, MIB)));
console.table(logs);
console.table(adversarial);

const short = 'Build succeeded: 0 errors, 2 warnings in 00:00:04.21';
for (let call = 0; call < 100_000; call++) redactor.text(short);
const start = process.cpuUsage();
for (let call = 0; call < 1_000_000; call++) redactor.text(short);
console.log(`short clean string: ${(cpuMs(start)).toFixed(0)} ns a call`);

const failed = [
  ...logs.filter(({ ms }) => ms > LOG_BUDGET_MS),
  ...adversarial.filter((row) => row['ratio of 4x'] > MAX_RATIO && row.ms > 50),
];
if (failed.length > 0) {
  console.error(`Over ${LOG_BUDGET_MS} ms, or not linear: ${failed.map(({ name }) => name).join(', ')}`);
  process.exitCode = 1;
}
