/**
 * Starts to measure the processor time of this process: a clock would tell of other work on the machine too.
 * @returns the milliseconds so far
 */
export function cpuTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
