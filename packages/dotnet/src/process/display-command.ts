const PLAIN = /^[\w@%+=:,./\\-]+$/;

/** A command line as a person would type it into a POSIX shell, for display only. */
export function displayCommand(program: string, args: readonly string[]): string {
  return [program, ...args.map(quote)].join(' ');
}

function quote(arg: string): string {
  if (PLAIN.test(arg)) return arg;
  return `"${arg.replace(/["$`]/g, '\\$&')}"`;
}
