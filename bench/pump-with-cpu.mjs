import { ECHOES } from './client/protocol.mjs';
import { usageOf } from './processes.mjs';

/** Echoes a second, and microseconds of processor time of each: of the server, of the processes it started, of the client. */
export async function pumpWithCpu(client, limits) {
  const before = usageOf(client.pid);
  const clientBefore = process.cpuUsage();
  const { calls, ms } = await client.pump(ECHOES, limits);
  const { user, system } = process.cpuUsage(clientBefore);
  const after = usageOf(client.pid);
  const spent = (who) => (after ? (after[who].cpuUs - before[who].cpuUs) / calls : Number.NaN);
  return {
    callsPerSecond: (calls / ms) * 1000,
    cpuUs: spent('self'),
    childrenCpuUs: spent('children'),
    clientCpuUs: (user + system) / calls,
  };
}
