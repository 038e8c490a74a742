import { connect } from '../client/index.mjs';
import { ECHO, SESSIONS, STATELESS } from '../client/protocol.mjs';
import { usageOf } from '../processes.mjs';
import { commandOf } from '../servers.mjs';
import { median } from '../stats.mjs';
import { echoesUs } from './echoes.mjs';

const TARGET_US = 150;
const MOUNTED_ECHO = { ...ECHO, name: 'mcp_official_echo' };

const VERSIONS = [SESSIONS, STATELESS];

export const mounted = {
  name: 'mounted',
  meanings: [
    [
      'a mounted server, called directly / through a relay / through Mortise',
      'Echoes one after the other: of the official server, of the same server behind a process that only passes lines on, and of the same server mounted in Mortise. In turns, medians over the rounds; the target is for the difference of each round.',
    ],
    ['… CPU of a call', 'User and system time of `mortise serve` itself, without the mounted server.'],
  ],
  async run({ workplace, scale }) {
    const rows = [];
    const targets = [];
    for (const version of VERSIONS) {
      const row = (measure, values) => ({ measure, way: `stdio ${version}`, unit: 'µs', values });
      const { p50Us, cpuUs, moreUs } = await measure(workplace, version, scale.stdio);
      rows.push(row('a mounted server, p50', p50Us), row('… CPU of a call', { process: cpuUs }));
      const target = `a mounted server, median call, stdio ${version}`;
      targets.push({ target, over: 'called directly', unit: 'µs more', value: moreUs, atMost: TARGET_US });
    }
    return { rows, targets };
  },
};

async function measure(workplace, version, { rounds, calls }) {
  const official = await commandOf('official', workplace);
  const entry = { command: process.execPath, args: official.args };
  const clients = {
    official: await connect(official, { version }),
    relay: await connect(workplace.fixture('line-relay', ['--before=official']), { version }),
    process: await connect(workplace.mortise({ Plugins: { McpServers: { official: entry } } }), { version }),
  };
  const samples = [];
  for (let round = -1; round < rounds; round++) {
    const official = await echoesUs(clients.official, ECHO, calls);
    const relay = await echoesUs(clients.relay, ECHO, calls);
    const before = usageOf(clients.process.pid);
    const mortise = await echoesUs(clients.process, MOUNTED_ECHO, calls);
    const after = usageOf(clients.process.pid);
    const cpuUs = after ? (after.self.cpuUs - before.self.cpuUs) / calls : Number.NaN;
    if (round >= 0) samples.push({ official, relay, process: mortise, cpuUs });
  }
  for (const client of Object.values(clients)) await client.stop();
  const medianOf = (value) => median(samples.map(value));
  return {
    p50Us: Object.fromEntries(Object.keys(clients).map((name) => [name, medianOf((sample) => sample[name])])),
    cpuUs: medianOf((sample) => sample.cpuUs),
    moreUs: medianOf((sample) => sample.process - sample.official),
  };
}
