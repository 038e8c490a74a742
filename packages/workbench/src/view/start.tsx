import { render } from 'preact';
import { connect } from '../state/connection.js';
import { firstFrame, nextFrame, wait } from '../state/first-frame.js';
import { firstTools, loadPlugins } from '../state/lists.js';
import { resumeTasks } from '../state/runs.js';
import { App } from './app.js';
import { RunView } from './lazy-run-view.js';

/** How long the page as it is in the HTML waits for the tools, so that it is drawn once; in milliseconds. */
const TOOLS_WAIT_MS = 50;

// What is in the HTML is painted first; tools that have come by then are in what is drawn next.
await firstFrame;
await Promise.race([firstTools, wait(TOOLS_WAIT_MS)]);
const app = document.getElementById('app')!;
app.textContent = '';
render(<App />, app);
// Everything else is asked for when the form is on the screen.
await nextFrame();
void connect();
void loadPlugins().catch(() => {});
resumeTasks();
RunView.preload();
