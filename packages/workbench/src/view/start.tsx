import { render } from 'preact';
import { connect } from '../state/connection.js';
import { firstTools, loadPlugins } from '../state/lists.js';
import { resumeTasks } from '../state/runs.js';
import { App } from './app.js';

/** How long the page as it is in the HTML waits for the tools, so that it is drawn once. */
const TOOLS_WAIT_MS = 50;
/** When there are no frames: the page is in the background. */
const NO_FRAME_MS = 100;

await Promise.race([firstTools, wait(TOOLS_WAIT_MS)]);
const app = document.getElementById('app')!;
app.textContent = '';
render(<App />, app);
// Everything else is asked for when the form is on the screen.
await Promise.race([new Promise(requestAnimationFrame).then(() => wait(0)), wait(NO_FRAME_MS)]);
void connect();
void loadPlugins().catch(() => {});
resumeTasks();

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
