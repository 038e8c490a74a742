import { definePlugin } from '@mortise/plugin';
import { z } from 'zod';

export default definePlugin({
  register(api) {
    const services: string[] = [];
    api.defineTool({
      name: 'create_service',
      title: 'Create a service',
      description: 'Creates a service; asks for its name, its kind and a confirmation.',
      async run(_, { input }) {
        const name = await input.elicit('name', { message: 'Which name?', schema: { name: z.string().min(2) } });
        if (name.action !== 'accept') return 'Nothing was created';
        const kind = await input.elicit('kind', {
          message: 'Which kind?',
          schema: { kind: z.enum(['web', 'worker']) },
        });
        if (kind.action !== 'accept') return 'Nothing was created';
        const sure = await input.elicit('sure', { message: 'Create it?', schema: { sure: z.boolean() } });
        if (!sure.content?.sure) return 'Nothing was created';
        services.push(`${kind.content.kind} ${name.content.name}`);
        return { services };
      },
    });
  },
});
