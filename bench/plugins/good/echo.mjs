const echo = {
  name: 'echo',
  description: 'Gives the text back.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'What to give back' } },
    required: ['text'],
  },
  run: ({ text }) => text,
};

const lookup = {
  description: 'Looks a record up and gives its fields.',
  inputSchema: {
    type: 'object',
    properties: { key: { type: 'string', description: 'Its key' }, limit: { type: 'integer' } },
    required: ['key'],
  },
  run: ({ key }) => key,
};

/** `echo`, and as many tools beside it as `Plugins.Config.tools` says. */
export function register(api) {
  api.registerTool(echo);
  const count = Number(api.getConfig('tools') ?? 1);
  for (let index = 1; index < count; index++) api.registerTool({ ...lookup, name: `look_up_${index}` });
}
