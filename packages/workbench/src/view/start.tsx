import { render } from 'preact';
import { connect } from '../state/connection.js';
import { firstTools, loadPlugins } from '../state/lists.js';
import { resumeTasks } from '../state/runs.js';
import { App } from './app.js';
import { RunView } from './lazy-run-view.js';

/** How long the page as it is in the HTML waits for the tools, so that it is drawn once; in milliseconds. */
const TOOLS_WAIT_MS = 50;
/** A page in the background gets no frames: it waits this long instead, in milliseconds. */
const NO_FRAME_MS = 100;

// What is in the HTML is painted first; tools that have come by then are in what is drawn next.
if (performance.getEntriesByName('first-contentful-paint').length === 0) await frame();
await Promise.race([firstTools, wait(TOOLS_WAIT_MS)]);
const app = document.getElementById('app')!;
app.textContent = '';
render(<App />, app);
// Everything else is asked for when the form is on the screen.
await frame();
void connect();
void loadPlugins().catch(() => {});
resumeTasks();
RunView.preload();

/** Resolves after the next frame. */
function frame(): Promise<unknown> {
  return Promise.race([new Promise(requestAnimationFrame).then(() => wait(0)), wait(NO_FRAME_MS)]);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
