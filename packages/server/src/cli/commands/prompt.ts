import type { PromptMessage } from '@mortise/plugin';
import { suggestNames } from '@mortise/plugin/runtime';
import type { Command } from 'commander';
import { splitPair } from '../call/arguments.js';
import { blockText } from '../call/result-text.js';
import { resultOf } from '../call/show-incomplete.js';
import { callFromTerminal, parseAnswers } from '../call/terminal-caller.js';
import { awaitPlugins } from '../shared/await-plugins.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { openServer } from '../shared/open-server.js';
import { addProfileOptions, type ProfileOptions } from '../shared/profiles.js';
import { repeated, type SettingsOptions } from '../shared/settings-options.js';
import type { Terminal } from '../shared/terminal.js';

interface PromptOptions extends SettingsOptions, ProfileOptions {
  readonly arg?: readonly string[];
  readonly answer?: readonly string[];
  readonly json?: true;
}

export function promptCommand({ terminal, end }: Cli): Command {
  const command = createCommand({
    name: 'prompt',
    examples: [
      ['prompt plan_day --arg day=Monday', 'its messages, each with its role'],
      ['prompt plan_day --arg day=Monday --json', 'as JSON'],
    ],
  })
    .argument('<prompt>', 'its name')
    .option('--arg <key=value>', 'an argument; repeatable', repeated)
    .option('--answer <key=value>', 'the answer to a question of the prompt, by its key; repeatable', repeated)
    .option('--json', 'one JSON document on stdout');
  return addProfileOptions(command).action(async (name: string, _: unknown, command: Command) => {
    await getPrompt(name, command.optsWithGlobals<PromptOptions>(), terminal);
    end('ok');
  });
}

async function getPrompt(name: string, options: PromptOptions, terminal: Terminal): Promise<void> {
  const pairs = (options.arg ?? []).map(splitPair);
  const args = Object.fromEntries(pairs.map(({ key, text }) => [key, text]));
  const answers = parseAnswers(options.answer);
  const { server } = await openServer(terminal, options);
  try {
    await awaitPlugins(server, terminal);
    const isLogged = options.logLevel !== undefined;
    const answer = await callFromTerminal({ terminal, isLogged, answers }, (caller) =>
      server.getPrompt(name, args, caller),
    );
    const names = server.mcpLists().prompts.map((prompt) => prompt.name);
    const suggestions = names.includes(name) ? [] : suggestNames(name, names);
    const { messages, description } = resultOf<PromptResult>(answer, name, suggestions);
    terminal.out(
      options.json ? JSON.stringify({ description, messages }, null, 2) : messages.map(messageText).join('\n\n'),
    );
  } finally {
    await server.close();
  }
}

interface PromptResult {
  readonly description?: string;
  readonly messages: PromptMessage[];
}

const messageText = ({ role, content }: PromptMessage): string => `${role}: ${blockText(content)}`;
