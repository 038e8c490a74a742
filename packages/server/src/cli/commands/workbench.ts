import { type Command, Option } from 'commander';
import { type Cli, createCommand } from '../shared/cli.js';
import { openBrowser } from '../shared/open-browser.js';
import { wholeNumber } from '../shared/settings-options.js';
import { type ServeOptions, serve } from './serve.js';

interface WorkbenchOptions extends ServeOptions {
  readonly open: boolean;
}

export function workbenchCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'workbench',
    description:
      'Serves MCP over HTTP like serve --http, and opens the workbench page with the rights of an operator.\n' +
      'The address has a one-time token. Open it within 15 minutes; once opened, it works only in that tab.',
    examples: [
      ['workbench', 'opens the page in the browser'],
      ['workbench --no-open --port 3333', 'prints the address only'],
    ],
  })
    .option('--no-open', 'print the address, and open no browser')
    .addOption(
      new Option('--port <number>', 'the port; 0 takes a free one (overrides Http.Port)').argParser(wholeNumber),
    )
    .option('--profile <name>', 'show only what this profile of the settings shows')
    .option('--read-only', 'show only operations that change nothing (the built-in profile readOnly)')
    .option('--watch', 'reload plugins when their files change')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<WorkbenchOptions>();
      const onPage = (address: string) => {
        terminal.out(address);
        if (options.open) openBrowser(address);
      };
      await serve({ ...options, http: true }, terminal, onPage);
      end('ok');
    });
}
