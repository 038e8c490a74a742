import { render } from 'preact';
import { resumeTasks } from '../state/runs.js';
import '../state/theme.js';
import { App } from './app.js';

resumeTasks();
const app = document.getElementById('app')!;
app.textContent = '';
render(<App />, app);
