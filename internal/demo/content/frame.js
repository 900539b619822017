// What a framed page tells the portal. Neither a height nor a path is a secret, so it may go to whoever frames the page.
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
