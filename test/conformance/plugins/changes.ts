import type { RegisterApi, Registration } from '@mortise/plugin';

/** Registers what `add` does, and by the next call takes it back. */
function toggle(add: () => Registration): () => string {
  let registration: Registration | undefined;
  return () => {
    if (registration === undefined) {
      registration = add();
      return 'added';
    }
    registration.remove();
    registration = undefined;
    return 'removed';
  };
}

/** Tools by which the lists and a resource change, and the resource. */
export function register(api: RegisterApi): void {
  const WATCHED = 'test://watched-resource';
  let changes = 0;
  const trigger = (name: string, description: string, run: () => string) =>
    api.registerTool({ name, description, inputSchema: { type: 'object' }, run });

  api.registerResource({
    uri: WATCHED,
    name: 'watched',
    description: 'Changes when test_trigger_resource_update is called',
    mimeType: 'text/plain',
    read: () => `Changed ${changes} times`,
  });
  trigger('test_trigger_resource_update', `Changes ${WATCHED}`, () => {
    changes += 1;
    api.resourceUpdated(WATCHED);
    return 'updated';
  });
  trigger(
    'test_trigger_tool_change',
    'Adds a tool, or takes it away',
    toggle(() => trigger('test_dynamic_tool', 'Comes and goes', () => 'here')),
  );
  trigger(
    'test_trigger_prompt_change',
    'Adds a prompt, or takes it away',
    toggle(() => api.registerPrompt({ name: 'test_dynamic_prompt', description: 'Comes and goes', get: () => 'here' })),
  );
  trigger(
    'test_trigger_resource_change',
    'Adds a resource, or takes it away',
    toggle(() => api.registerResource({ uri: 'test://dynamic', name: 'dynamic', read: () => 'here' })),
  );
}
