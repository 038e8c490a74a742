import { main as mortise } from 'mortise/cli';

/** Runs `mortise new` with the arguments of `npm create mortise-plugin`. @returns the exit code */
export async function main(argv: string[]): Promise<number> {
  return mortise(['new', ...argv]);
}
