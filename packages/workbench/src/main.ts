import './style/tokens.css';
import './style/base.css';
import './style/layout.css';
import './style/list.css';
import './style/views.css';
import './style/form.css';
import './style/result.css';
import './style/tests.css';
// The tools are asked for before the components are evaluated.
import './state/first-request.js';
import './view/start.js';
