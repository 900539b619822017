/* Sends a challenge to a passkey and submits the response with the form next to the button. */
const key = window.PublicKeyCredential;
const parse = { get: key?.parseRequestOptionsFromJSON, create: key?.parseCreationOptionsFromJSON };
const form = document.getElementById('passkey');

for (const button of document.querySelectorAll('[data-passkey]')) {
  const how = button.dataset.passkey;
  if (!parse[how]) continue; // the browser doesn't support passkeys
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    let message = 'No passkey was used. Please try again.';
    try {
      const asked = await fetch('/sso/passkey/options', {
        method: 'POST',
        body: new URLSearchParams({ state: form.state.value }),
      });
      // An expired sign-in redirects to a page.
      if (asked.redirected) return location.assign('/sso/start');
      if (!asked.ok) {
        message = (await asked.json()).message.replace(/^Error: /, '');
        throw new Error(message);
      }
      const publicKey = parse[how].call(key, await asked.json());
      form.answer.value = JSON.stringify(await navigator.credentials[how]({ publicKey }));
      form.submit();
    } catch (error) {
      button.disabled = false;
      button.focus(); // disabling the button removed the focus
      showMessage(button, error.name === 'InvalidStateError' ? 'This passkey was added already.' : `Error: ${message}`);
    }
  });
}

function showMessage(button, text) {
  document.getElementById('passkey-error')?.remove(); // so that screen readers announce the same text again
  const place = document.createElement('p');
  place.id = 'passkey-error';
  place.className = 'error below';
  place.role = 'alert';
  place.textContent = text;
  button.after(place);
}
