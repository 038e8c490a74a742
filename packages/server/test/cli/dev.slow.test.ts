import { expect, it } from 'vitest';
import { greeting } from './plugins.js';
import { createTrustedWorkplace, record, startMortise } from './run-mortise.js';

it('mortise dev takes a path, and says what an argument of the call lacks', async () => {
  const workplace = createTrustedWorkplace({ 'elsewhere/greet.mjs': greeting('Hello') });
  const child = startMortise(workplace, ['dev', 'elsewhere/greet.mjs', '--call', 'gret', '--json', '{}']);
  const [out, err] = [record(child.stdout), record(child.stderr)];
  await out.untilOutput('1 tool');
  await err.untilOutput("There is no tool 'gret'.");
  expect(err.text()).toContain('Did you mean greet?');
});
