import { render } from 'preact';
import './style/tokens.css';
import './style/base.css';
import './style/layout.css';
import './style/views.css';
import './style/form.css';
import './style/result.css';
import './state/theme.js';
import { connect } from './state/connection.js';
import './state/lists.js';
import { takeToken } from './state/token.js';
import { App } from './view/app.js';

takeToken();
void connect();
const app = document.getElementById('app')!;
app.textContent = '';
render(<App />, app);
