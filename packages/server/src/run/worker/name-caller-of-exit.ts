import { writeSync } from 'node:fs';

/** What stderr says before a plugin ends its own process; the stack follows. */
export const EXIT_CALLED = 'The plugin called process.exit';

/** From now on `process.exit` says on stderr who called it: it is the last output of the process. */
export function nameCallerOfExit(): void {
  const exit = process.exit;
  process.exit = (code) => {
    const stack = String(new Error().stack).split('\n').slice(2);
    try {
      writeSync(2, `${EXIT_CALLED}(${code ?? ''})\n${stack.join('\n')}\n`);
    } catch {
      // A closed or full stderr must not keep it from ending.
    }
    return exit(code);
  };
}
