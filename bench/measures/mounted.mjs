import { connect } from '../client/index.mjs';
import { checkEcho, ECHO, SESSIONS, STATELESS } from '../client/protocol.mjs';
import { usageOf } from '../processes.mjs';
import { commandOf } from '../servers.mjs';
import { median } from '../stats.mjs';

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
      const { directUs, mountedUs, cpuUs, moreUs } = await measure(place, version, scale.stdio);
      const row = (measure, values, unit = 'µs') => ({ measure, way: `stdio ${version}`, unit, values });
      rows.push(
        row('a mounted server, p50', { official: directUs, process: mountedUs }),
        row('… CPU of a call', { process: cpuUs }),
      );
      const target = `a mounted server, median call, stdio ${version}`;
      targets.push({ target, over: 'called directly', unit: 'µs more', value: moreUs, atMost: TARGET_US });
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
    const direct = await echoes(clients.direct, ECHO, calls);
    const before = usageOf(clients.mounted.pid);
    const mounted = await echoes(clients.mounted, MOUNTED_ECHO, calls);
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

/** The median of so many calls, in microseconds. */
async function echoes(client, call, calls) {
  const times = [];
  for (let done = 0; done < calls; done++) {
    const response = await client.request('tools/call', call);
    times.push(response.ms * 1000);
    checkEcho(response);
  }
  return median(times);
}
