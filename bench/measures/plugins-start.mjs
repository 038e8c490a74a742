import { SESSIONS } from '../client/protocol.mjs';
import { medianStarts } from './median-starts.mjs';

const TARGET = 1.3;

export const pluginsStart = {
  name: 'plugins-start',
  meanings: [
    [
      'start with n plugins',
      'As cold start. The first start, measured once, makes the list of all tools; later ones read it.',
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
    const row = (measure, process) => ({ measure, way: `stdio ${SESSIONS}`, unit: 'ms', values: { process } });
    return {
      rows: [
        row('start with 0 plugins', none),
        row(`start with ${count} plugins`, many),
        row(`the first start with ${count} plugins`, firstStartMs),
      ],
      targets: [
        { target: `start with ${count} plugins`, over: 'with none', unit: '×', value: many / none, atMost: TARGET },
      ],
    };
  },
};
