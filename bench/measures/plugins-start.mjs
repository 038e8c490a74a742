import { startToFirstAnswer } from '../client/index.mjs';
import { SESSIONS } from '../client/protocol.mjs';
import { median } from '../stats.mjs';
import { longestStall, withStallProbe } from './large-messages.mjs';
import { medianStarts } from './median-starts.mjs';

const TARGET = 1.3;
const TARGET_STALL_MS = 50;
const STALL_STARTS = 5;

export const pluginsStart = {
  name: 'plugins-start',
  meanings: [
    [
      'start with n plugins',
      'As cold start. The first start, measured once, makes the list of all tools; later ones read it.',
    ],
    [
      'longest stall after the first answer',
      'How long the event loop of the server stood still while it read the plugins after that answer, and until it listed them; the median of five starts.',
    ],
  ],
  async run({ workplace, scale, manyPlugins }) {
    const { count, settings, firstStartMs } = await manyPlugins();
    const counts = { none: 0, many: count };
    const commands = {
      none: workplace.mortise({ Plugins: { Directory: workplace.folder() } }),
      many: workplace.mortise(settings),
    };
    const isWhole = (tools, name) => tools.length >= counts[name];
    const { none, many } = await medianStarts(commands, { version: SESSIONS }, scale.starts, isWhole);
    const stalls = [];
    for (let start = 0; start < STALL_STARTS; start++) stalls.push(await stallAfterAnswer(commands.many));
    const stallMs = median(stalls.map(({ ms }) => ms));
    const row = (measure, process) => ({ measure, way: `stdio ${SESSIONS}`, unit: 'ms', values: { process } });
    return {
      rows: [
        row('start with 0 plugins', none),
        row(`start with ${count} plugins`, many),
        row(`the first start with ${count} plugins`, firstStartMs),
        row(`start with ${count} plugins, longest stall after the first answer`, stallMs),
        row('… longest computation', median(stalls.map(({ cpuMs }) => cpuMs))),
      ],
      targets: [
        { target: `start with ${count} plugins`, over: 'with none', unit: '×', value: many / none, atMost: TARGET },
        {
          target: `after the first answer with ${count} plugins`,
          unit: 'ms longest stall',
          value: stallMs,
          atMost: TARGET_STALL_MS,
        },
      ],
    };
  },
};

async function stallAfterAnswer(server) {
  const { stalls, command } = withStallProbe(server);
  const { client } = await startToFirstAnswer(command, { version: SESSIONS });
  await longestStall(client, stalls);
  await client.request('tools/call', { name: 'builtin_plugins', arguments: { action: 'List' } });
  const stall = await longestStall(client, stalls);
  await client.stop();
  return stall;
}
