import { keepCoresAwake } from '../awake.mjs';
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
      'a mounted server, called directly / through Mortise',
      'Echoes one after the other: of the official server, and of the same server mounted in Mortise. In turns, medians over the rounds; the target is for the difference of each round.',
    ],
    ['… CPU of a call', 'User and system time of `mortise serve` itself, without the mounted server.'],
  ],
  async run({ place, scale }) {
    const rows = [];
    const targets = [];
    for (const version of VERSIONS) {
      const row = (measure, values) => ({ measure, way: `stdio ${version}`, unit: 'µs', values });
      const asleep = await measure(place, version, scale.stdio);
      const stop = keepCoresAwake();
      const awake = await measure(place, version, scale.stdio).finally(stop);
      rows.push(
        row('a mounted server, p50', { official: asleep.directUs, process: asleep.mountedUs }),
        row('… cores awake', { official: awake.directUs, process: awake.mountedUs }),
        row('… CPU of a call', { process: asleep.cpuUs }),
      );
      for (const [when, { moreUs }] of Object.entries({ 'median call': asleep, 'cores awake': awake })) {
        const target = `a mounted server, ${when}, stdio ${version}`;
        targets.push({ target, over: 'called directly', unit: 'µs more', value: moreUs, atMost: TARGET_US });
      }
    }
    return { rows, targets };
  },
};

async function measure(place, version, { rounds, calls }) {
  const official = await commandOf('official', place);
  const entry = { command: process.execPath, args: official.args };
  const clients = {
    direct: await connect(official, { version }),
    mounted: await connect(place.mortise({ Plugins: { McpServers: { official: entry } } }), { version }),
  };
  const samples = [];
  for (let round = -1; round < rounds; round++) {
    const direct = await echoesUs(clients.direct, ECHO, calls);
    const before = usageOf(clients.mounted.pid);
    const mounted = await echoesUs(clients.mounted, MOUNTED_ECHO, calls);
    const after = usageOf(clients.mounted.pid);
    const cpuUs = after ? (after.self.cpuUs - before.self.cpuUs) / calls : Number.NaN;
    if (round >= 0) samples.push({ direct, mounted, cpuUs });
  }
  for (const client of Object.values(clients)) await client.stop();
  return {
    directUs: median(samples.map(({ direct }) => direct)),
    mountedUs: median(samples.map((sample) => sample.mounted)),
    cpuUs: median(samples.map((sample) => sample.cpuUs)),
    moreUs: median(samples.map((sample) => sample.mounted - sample.direct)),
  };
}
