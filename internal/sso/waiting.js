/* Another tab has signed in: the portal goes on with that session. */
new BroadcastChannel('wcpp').addEventListener('message', ({ data }) => {
  if (data.type === 'started') location.replace('/wcpp/login');
});
