import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from './client/index.mjs';
import { stopAll } from './client/process.mjs';
import { ECHOES } from './client/protocol.mjs';
import { readSelfTimes } from './self-times.mjs';
import { commandOf, SERVERS, WAYS } from './servers.mjs';
import { createWorkplace } from './workplace.mjs';

const IN_FLIGHT = { stdio: 64, http: 16 };
const WARM_UP_MS = 4000;
const INTERVAL_US = 250;
const TITLES = WAYS.map(({ title }) => title);
const USAGE = `Usage: node bench/profile.mjs [--server <name>]… [--way <way>]… [--seconds <number>] [--top <number>]

Where a server spends its time while 64 calls (stdio) or 16 calls (http) are in flight, by package and by file: the time of a
file is that of its own functions, without what they call in other files. Not in it are the start of the server and the time
when it waits for calls. On a machine that does other work, that work is in it too.

  --server <name>     ${Object.keys(SERVERS).join(', ')}; inProcess by default
  --way <way>         ${TITLES.map((title) => `'${title}'`).join(', ')}; all by default
  --seconds <number>  how long calls are made, 5 by default
  --top <number>      how many files are printed, 25 by default`;

async function main(argv) {
  const options = readOptions(argv);
  if (options.problem !== undefined) {
    console.error(`${options.problem}\n\n${USAGE}`);
    return 1;
  }
  const workplace = createWorkplace();
  try {
    for (const way of options.ways)
      for (const name of options.servers)
        console.log(toText(name, way, await profile(workplace, name, way, options), options));
    return 0;
  } finally {
    await stopAll();
    workplace.remove();
  }
}

/** The self times of one server by file, and how many calls it answered in them. */
async function profile(workplace, name, way, { seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-profile-'));
  try {
    const command = await commandOf(name, workplace, way);
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${INTERVAL_US}`];
    const client = await connect({ ...command, args: [...flags, ...command.args] }, way);
    const inFlight = IN_FLIGHT[way.transport];
    await client.pump(ECHOES, { inFlight, ms: WARM_UP_MS });
    const startUs = nowUs();
    const { calls } = await client.pump(ECHOES, { inFlight, ms: seconds * 1000 });
    const endUs = nowUs();
    await client.stop();
    return { calls, seconds: (endUs - startUs) / 1e6, files: readSelfTimes(folder, client.pid, { startUs, endUs }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By the clock of the profile. */
const nowUs = () => Number(process.hrtime.bigint() / 1000n);

function toText(name, way, { calls, seconds, files }, { top }) {
  const busy = files.filter(({ file }) => file !== '(idle)');
  const busyUs = sum(busy);
  const head = `${SERVERS[name].title}, ${way.title}, ${IN_FLIGHT[way.transport]} in flight: ${calls} calls in ${seconds.toFixed(1)} s, ${(busyUs / calls).toFixed(1)} µs each`;
  const line = ({ us }, title) =>
    `${((us / busyUs) * 100).toFixed(1).padStart(6)} %  ${(us / calls).toFixed(2).padStart(8)} µs  ${title}`;
  return [
    ...[head, '', 'By package:', ...byTime(packagesOf(busy)).map((entry) => line(entry, entry.package))],
    ...['', `By file, the first ${top}:`],
    ...byTime(busy)
      .slice(0, top)
      .map((entry) => line(entry, entry.file)),
    '',
  ].join('\n');
}

function packagesOf(files) {
  const names = new Set(files.map((entry) => entry.package));
  return [...names].map((name) => ({ package: name, us: sum(files.filter((entry) => entry.package === name)) }));
}

const sum = (entries) => entries.reduce((total, { us }) => total + us, 0);
const byTime = (entries) => entries.toSorted((one, other) => other.us - one.us);

function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        server: { type: 'string', multiple: true, default: ['inProcess'] },
        way: { type: 'string', multiple: true, default: TITLES },
        seconds: { type: 'string', default: '5' },
        top: { type: 'string', default: '25' },
      },
    });
    const unknown =
      values.server.find((name) => SERVERS[name] === undefined) ?? values.way.find((title) => !TITLES.includes(title));
    if (unknown !== undefined) return { problem: `Unknown server or way '${unknown}'.` };
    return {
      servers: values.server,
      ways: WAYS.filter(({ title }) => values.way.includes(title)),
      seconds: Number(values.seconds),
      top: Number(values.top),
    };
  } catch (error) {
    return { problem: error.message };
  }
}

process.exitCode = await main(process.argv.slice(2));
