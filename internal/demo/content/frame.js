// Reports the framed page's height and path to the portal. Neither is secret, so any parent frame can receive them.
const tell = (message) => window.parent.postMessage(message, '*');

new ResizeObserver(() => tell({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) })).observe(document.body);

for (const button of document.querySelectorAll('[data-resource]'))
  button.addEventListener('click', () => tell({ type: 'secureResource', url: button.dataset.resource }));

const more = document.querySelector('.more');
more?.addEventListener('click', () => {
  const open = more.getAttribute('aria-expanded') !== 'true';
  more.setAttribute('aria-expanded', String(open));
  more.textContent = open ? 'Show less' : 'Show earlier news';
  document.getElementById('earlier').hidden = !open;
});
