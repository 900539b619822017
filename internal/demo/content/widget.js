// Imitates the Chatwoot widget: text messages with a prefix, sent to the parent frame.
const mark = 'chatwoot-widget:';
const tell = (event, more) => window.parent.postMessage(mark + JSON.stringify({ event, ...more }), '*');

const log = document.getElementById('log');
let open = true;
let unread = 0;

function say(text, own = false) {
  const line = document.createElement('li');
  line.textContent = text;
  line.className = own ? 'own' : '';
  log.append(line);
  line.scrollIntoView({ block: 'end' });
}

function show(facts) {
  document.getElementById('facts').replaceChildren(
    ...facts.flatMap(([name, value]) => {
      const term = document.createElement('dt');
      const given = document.createElement('dd');
      term.textContent = name;
      given.textContent = value || 'none';
      return [term, given];
    }),
  );
}

const heard = {
  'set-user': ({ identifier, user }) =>
    show([
      ['Name', user.name],
      ['E-mail', user.email],
      ['Phone', user.phone_number],
      ['Account type', user.custom_attributes?.account_type],
      ['Identifier', identifier],
      ['Signed', /^[0-9a-f]{64}$/.test(user.identifier_hash ?? '') ? 'yes' : 'no'],
    ]),
  'config-set': () => say('Welcome to Tech Support. How can we help?'),
  'toggle-open': ({ isOpen }) => {
    open = isOpen;
    if (!open) return;
    unread = 0;
    tell('handleNotificationDot', { unreadMessageCount: unread });
  },
};

window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || typeof data !== 'string' || !data.startsWith(mark)) return;
  const message = JSON.parse(data.slice(mark.length));
  heard[message.event]?.(message);
});

document.getElementById('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = document.getElementById('text');
  if (!text.value.trim()) return;
  say(text.value.trim(), true);
  text.value = '';
  setTimeout(() => {
    say('Thank you. In production an agent of the network answers here.');
    if (!open) tell('handleNotificationDot', { unreadMessageCount: ++unread });
  }, 1500);
});

tell('loaded', { config: { authToken: '', channelConfig: { widgetColor: '#0b5372' } } });
