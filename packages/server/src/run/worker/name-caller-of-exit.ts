import { writeSync } from 'node:fs';

/** The beginning of the line on stderr before a plugin ends its own process. The stack follows. */
export const EXIT_CALLED = 'The plugin called process.exit';

/** Makes `process.exit` print its caller on stderr, as the last output of the process. */
export function nameCallerOfExit(): void {
  const exit = process.exit;
  process.exit = (code) => {
    const stack = String(new Error().stack).split('\n').slice(2);
    try {
      writeSync(2, `${EXIT_CALLED}(${code ?? ''})\n${stack.join('\n')}\n`);
    } catch {
      // A closed or full stderr must not keep the process from ending.
    }
    return exit(code);
  };
}
