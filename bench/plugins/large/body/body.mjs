/** Takes whatever it is given. */
export const register = (api) =>
  api.registerTool({
    name: 'bad',
    description: 'Reads large arguments',
    inputSchema: { type: 'object', properties: { values: {} } },
    run: () => 'read',
  });
