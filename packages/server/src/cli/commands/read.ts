import type { ResourceContents } from '@mortise/plugin';
import { suggestNames } from '@mortise/plugin/runtime';
import type { Command } from 'commander';
import { openOutFolder, writeParts } from '../call/out-folder.js';
import { contentsText } from '../call/result-text.js';
import { resultOf } from '../call/show-incomplete.js';
import { callFromTerminal } from '../call/terminal-caller.js';
import { awaitPlugins } from '../shared/await-plugins.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { openServer } from '../shared/open-server.js';
import { addProfileOptions, type ProfileOptions } from '../shared/profiles.js';
import type { SettingsOptions } from '../shared/settings-options.js';
import type { Terminal } from '../shared/terminal.js';

interface ReadOptions extends SettingsOptions, ProfileOptions {
  readonly out?: string;
  readonly json?: true;
}

export function readCommand({ terminal, end }: Cli): Command {
  const command = createCommand({
    name: 'read',
    description: 'Reads a resource by its URI and prints it: text as it is, and a note for each part that is not text.',
    examples: [
      ['read notes://today', 'a resource of a plugin'],
      ['read mortise://plugins', 'a resource of the server'],
      ['read picture://last --out pictures', 'writes images and other files into a folder'],
      ['read notes://today --json', 'its contents as JSON'],
    ],
  })
    .argument('<uri>', 'the URI of a resource, or one that fits the template of a resource')
    .option('--out <folder>', 'write what is not text into this folder')
    .option('--json', 'one JSON document on stdout');
  return addProfileOptions(command).action(async (uri: string, _: unknown, command: Command) => {
    await read(uri, command.optsWithGlobals<ReadOptions>(), terminal);
    end('ok');
  });
}

async function read(uri: string, options: ReadOptions, terminal: Terminal): Promise<void> {
  const outFolder = openOutFolder(options.out);
  const { server } = await openServer(terminal, options);
  try {
    await awaitPlugins(server, terminal);
    const isLogged = options.logLevel !== undefined;
    const answer = await callFromTerminal({ terminal, isLogged, answers: new Map() }, (caller) =>
      server.readResource(uri, caller),
    );
    const uris = server.mcpLists().resources.map((resource) => resource.uri);
    const { contents } = resultOf<{ contents: ResourceContents[] }>(
      answer,
      uri,
      suggestNames(
        uri,
        uris.filter((other) => other !== uri),
      ),
    );
    const fileOf = writeParts(contents, outFolder, terminal);
    const text = () => contents.map((part) => contentsText(part, fileOf)).join('\n');
    terminal.out(options.json ? JSON.stringify({ contents }, null, 2) : text());
  } finally {
    await server.close();
  }
}
