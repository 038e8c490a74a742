import { main as mortise } from 'mortise/cli';

/** `npm create mortise-plugin <name> -- --style register` is `mortise new <name> --style register`. Gives the exit code. */
export async function main(argv: string[]): Promise<number> {
  return mortise(['new', ...argv]);
}
