import { render } from 'preact';
import { connect } from '../state/connection.js';
import { firstFrame, nextFrame, wait } from '../state/first-frame.js';
import { firstTools, loadPlugins } from '../state/lists.js';
import { resumeTasks } from '../state/runs.js';
import { App } from './app.js';
import { RunView } from './lazy-run-view.js';

/** The longest wait of the first render for the tools. If they arrive in time, the page is drawn only once. */
const TOOLS_WAIT_MS = 50;

// The HTML is painted first. The render that follows includes the tools that have arrived by then.
await firstFrame;
await Promise.race([firstTools, wait(TOOLS_WAIT_MS)]);
const app = document.getElementById('app')!;
app.textContent = '';
render(<App />, app);
// All other requests are sent after the first render is on the screen.
await nextFrame();
void connect();
void loadPlugins().catch(() => {});
resumeTasks();
RunView.preload();
