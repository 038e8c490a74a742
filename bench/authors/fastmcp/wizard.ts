import { FastMCP } from 'fastmcp';

const server = new FastMCP({ name: 'wizard', version: '1.0.0' });
const services: string[] = [];
server.addTool({
  name: 'create_service',
  description: 'Creates a service; asks for its name, its kind and a confirmation.',
  async execute(_, { elicit }) {
    const name = await elicit({
      message: 'Which name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string', minLength: 2 } }, required: ['name'] },
    });
    if (name.action !== 'accept') return 'Nothing was created';
    const kind = await elicit({
      message: 'Which kind?',
      requestedSchema: {
        type: 'object',
        properties: { kind: { type: 'string', enum: ['web', 'worker'] } },
        required: ['kind'],
      },
    });
    if (kind.action !== 'accept') return 'Nothing was created';
    const sure = await elicit({
      message: 'Create it?',
      requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
    });
    if (!sure.content?.sure) return 'Nothing was created';
    services.push(`${kind.content?.kind} ${name.content?.name}`);
    return JSON.stringify({ services });
  },
});
await server.start({ transportType: 'stdio' });
