import { commandOf, serversFor, WAYS } from '../servers.mjs';
import { medianStarts } from './median-starts.mjs';

export const coldStart = {
  name: 'cold-start',
  meanings: [
    [
      'cold start',
      'From the start of the process to the answer to its first `tools/list`; what Mortise remembers of an earlier start is used.',
    ],
  ],
  async run({ workplace, scale }) {
    const rows = [];
    for (const way of WAYS) {
      const commands = {};
      for (const name of serversFor(way)) commands[name] = await commandOf(name, workplace, way);
      const values = await medianStarts(commands, way, scale.starts, (tools) => tools.some(isEcho));
      rows.push({ measure: 'cold start', way: way.title, unit: 'ms', values });
    }
    return { rows };
  },
};

const isEcho = ({ name }) => name === 'echo';
