// Goes through a page with the keyboard alone and prints what a person meets:
//   node keyboard.mjs CHROMIUM PROFILE URL light|dark
// It speaks the DevTools protocol over the browser's pipe, so the keys are the
// browser's own and not events that a script made up.
import {spawn} from 'node:child_process';

const [chromium, profile, url, scheme] = process.argv.slice(2);
const browser = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--user-data-dir=' + profile, '--window-size=420,900', '--remote-debugging-pipe', 'about:blank'],
  {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
const waiting = new Map();
let last = 0, rest = '', session, loaded = () => {};
browser.stdio[4].on('data', chunk => {
  const parts = (rest + chunk).split('\0');
  rest = parts.pop();
  for (const part of parts) {
    const message = JSON.parse(part);
    if (message.method === 'Page.loadEventFired') loaded();
    const answer = waiting.get(message.id);
    if (!answer) continue;
    waiting.delete(message.id);
    message.error ? answer.bad(new Error(message.error.message)) : answer.good(message.result);
  }
});
const send = (method, params = {}) => new Promise((good, bad) => {
  waiting.set(++last, {good, bad});
  browser.stdio[3].write(JSON.stringify({id: last, method, params, sessionId: session}) + '\0');
});
const codes = {Tab: 9, Enter: 13, ' ': 32};
const press = async (key, modifiers = 0) => {
  const event = {key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: codes[key], modifiers};
  const text = {Enter: '\r', ' ': ' '}[key];
  await send('Input.dispatchKeyEvent', {...event, type: text ? 'keyDown' : 'rawKeyDown', text});
  await send('Input.dispatchKeyEvent', {...event, type: 'keyUp'});
};
const ask = async expression => {
  const {result, exceptionDetails} = await send('Runtime.evaluate', {expression, returnByValue: true});
  if (exceptionDetails) throw new Error(exceptionDetails.exception.description);
  return result.value;
};

// Where the focus is: its place in the document, and whether it can be seen.
const here = `(() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const all = [...document.querySelectorAll('*')], style = getComputedStyle(e), box = e.getBoundingClientRect();
  const numbers = c => (c.match(/[0-9.]+/g) || []).slice(0, 3).map(n => n / 255).map(n => n <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
  const light = c => { const [r, g, b] = numbers(c); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const [a, b] = [light(style.outlineColor), light(getComputedStyle(document.body).backgroundColor)].sort((x, y) => y - x);
  return {index: all.indexOf(e), name: e.tagName.toLowerCase() + ' ' + (e.getAttribute('aria-label') || e.textContent).trim().replace(/\\s+/g, ' ').slice(0, 40),
    outline: style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth), contrast: (a + 0.05) / (b + 0.05),
    seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    open: e.tagName === 'SUMMARY' ? e.parentElement.open : null};
})()`;

const walk = async modifiers => {
  const stops = [];
  for (let n = 0; n < 3000; n++) {
    await press('Tab', modifiers);
    const stop = await ask(here);
    if (!stop && n < 2) continue; // from the end of the document the way leads out of it first
    if (!stop || stops.length && stop.index === stops[0].index) break;
    stops.push(stop);
  }
  return stops;
};

try {
  const {targetInfos} = await send('Target.getTargets');
  const {sessionId} = await send('Target.attachToTarget', {targetId: targetInfos.find(t => t.type === 'page').targetId, flatten: true});
  session = sessionId;
  await send('Page.enable');
  await send('Emulation.setScriptExecutionDisabled', {value: true}); // the page's own; ours still run
  await send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: scheme}]});
  const ready = new Promise(done => { loaded = done; });
  await send('Page.navigate', {url});
  await ready;
  const out = {folded: await walk(0), toggled: 0, stuck: []};
  // Every fold opens with Enter and closes with the space bar; then all are left
  // open, those inside of others as well, and the way is gone again.
  for (let changed = true; changed;) {
    changed = false;
    const folds = await ask(`[...document.querySelectorAll('summary')].map((s, i) => [i, s.parentElement.open, s.checkVisibility()]).filter(s => !s[1] && s[2]).map(s => s[0])`);
    for (const i of folds) {
      const state = `document.querySelectorAll('summary')[${i}].parentElement.open`;
      await ask(`document.querySelectorAll('summary')[${i}].focus()`);
      const seen = [];
      for (const key of ['Enter', ' ', 'Enter']) {
        await press(key);
        seen.push(await ask(state));
      }
      out.toggled++;
      if (seen.join() !== 'true,false,true') out.stuck.push((await ask(here)).name + ': ' + seen);
      changed = true;
    }
    if (out.stuck.length) break;
  }
  await ask('document.activeElement.blur(); scrollTo(0, 0); getSelection().collapse(document.body, 0)');
  out.unfolded = await walk(0);
  out.back = await walk(8);
  out.reachable = await ask(`[...document.querySelectorAll('a[href], summary, [tabindex="0"]')].filter(e => e.checkVisibility()).length`);
  // The first stop leads past the navigation.
  await ask(`document.querySelector('a').focus()`);
  await press('Enter');
  out.skip = await ask('location.hash');
  // What is wider than the screen must take the focus, so that arrows move it.
  out.wide = await ask(`[...document.querySelectorAll('.scroll, pre')].filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).length`);
  out.fixed = await ask(`[...document.querySelectorAll('.scroll, pre')].filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0).length`);
  console.log(JSON.stringify(out));
} finally {
  browser.kill();
}
