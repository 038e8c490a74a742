import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const server = new McpServer({ name: 'wizard', version: '1.0.0' });
const services: string[] = [];
server.registerTool(
  'create_service',
  {
    title: 'Create a service',
    description: 'Creates a service; asks for its name, its kind and a confirmation.',
  },
  async ({ mcpReq }) => {
    const nothing = { content: [{ type: 'text' as const, text: 'Nothing was created' }] };
    const name = await mcpReq.elicitInput({
      message: 'Which name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string', minLength: 2 } }, required: ['name'] },
    });
    if (name.action !== 'accept') return nothing;
    const kind = await mcpReq.elicitInput({
      message: 'Which kind?',
      requestedSchema: {
        type: 'object',
        properties: { kind: { type: 'string', enum: ['web', 'worker'] } },
        required: ['kind'],
      },
    });
    if (kind.action !== 'accept') return nothing;
    const sure = await mcpReq.elicitInput({
      message: 'Create it?',
      requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
    });
    if (!sure.content?.sure) return nothing;
    services.push(`${kind.content?.kind} ${name.content?.name}`);
    const structuredContent = { services };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  },
);
await server.connect(new StdioServerTransport());
