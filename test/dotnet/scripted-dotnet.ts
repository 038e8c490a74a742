import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { waitFor } from '../support/wait-for.js';
import { makeWorkplace, type Workplace } from '../support/workplace.js';

/** What a `dotnet` prints, and how it exits. */
export interface Printed {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** Says what it is told to; while a file `hold` is there it says nothing yet. */
const PROGRAM = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const folder = process.env.MORTISE_SCRIPT;
appendFileSync(folder + '/started', '');
const { stdout = '', stderr = '', exitCode = 0 } = JSON.parse(readFileSync(folder + '/printed.json', 'utf8'));
const look = () => {
  if (existsSync(folder + '/hold')) return setTimeout(look, 10);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
};
look();
`;

/** A workplace whose `dotnet` says what a test tells it to. */
export interface ScriptedDotnet {
  readonly workplace: Workplace;
  /** With the program first on PATH, and nothing else of the machine but Node.js. */
  readonly env: Workplace['env'];
  print(printed: Printed): void;
  /** Commands wait until the returned function is called; `started` resolves when one runs. */
  hold(): { started(): Promise<unknown>; release(): void };
}

/** @param files of the working folder */
export function makeScriptedDotnet(files: Record<string, string> = {}, settings: object = {}): ScriptedDotnet {
  const workplace = makeWorkplace({ 'bin/dotnet': PROGRAM, ...files }, { Dotnet: { Enabled: true }, ...settings });
  const path = (name: string) => join(workplace.folder, name);
  chmodSync(path('bin/dotnet'), 0o755);
  return {
    workplace,
    env: {
      ...workplace.env,
      PATH: [path('bin'), dirname(process.execPath)].join(delimiter),
      MORTISE_SCRIPT: workplace.folder,
    },
    print: (printed) => writeFileSync(path('printed.json'), JSON.stringify(printed)),
    hold() {
      rmSync(path('started'), { force: true });
      writeFileSync(path('hold'), '');
      return {
        started: () => waitFor(() => existsSync(path('started'))),
        release: () => rmSync(path('hold')),
      };
    },
  };
}
