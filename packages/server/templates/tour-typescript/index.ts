import { type CallContext, defineTool, fail, ok, type RegisterApi } from '@mortise/plugin';

/** The server calls this when it loads the plugin. */
export function register(api: RegisterApi): void {
  const greeted: string[] = [];
  // A setting, such as Plugins.Config.greeting in appsettings.json.
  const greeting = api.getConfig('greeting') ?? 'Hello';

  api.registerTool(
    defineTool({
      name: 'my_tool',
      title: 'My tool',
      description: 'Greets a person by name. Asks for the name when none is given.',
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, description: 'The name of the person, for example Ada' },
        },
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { message: { type: 'string', description: 'The greeting' } },
        required: ['message'],
      },
      annotations: { destructiveHint: false, openWorldHint: false },

      async run(args, context) {
        // A question may end the call, and run it again from here when the answer has come.
        // So: nothing with effects before the last `await context.input…`.
        const name = args.name ?? (await askForName(context));
        if (!name) return fail('There is no one to greet.', { hint: 'Give the argument name.' });

        // Effects begin here. Long work reports its progress, and ends when the signal fires.
        context.progress.report(50, `Greeting ${name}`);
        context.signal.throwIfAborted();
        context.logger.info('greeting a person', { name });
        greeted.push(name);
        api.resourceUpdated('greeted://my-tool');
        const message = `${greeting}, ${name}!`;
        return ok(message, { message });
      },
    }),
  );

  api.registerResource({
    uri: 'greeted://my-tool',
    name: 'Greeted people',
    description: 'The people who were greeted since the plugin was loaded.',
    mimeType: 'application/json',
    read: () => JSON.stringify(greeted),
  });
}

/** Asks the user. The same key finds the same answer when the tool runs again. */
async function askForName({ input }: CallContext): Promise<string | undefined> {
  const answer = await input.elicit('name', {
    message: 'Whom shall I greet?',
    schema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
  });
  return answer.action === 'accept' ? String(answer.content?.name ?? '') : undefined;
}
