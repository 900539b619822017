/* When another tab signs in, continue with its session. */
new BroadcastChannel('wcpp').addEventListener('message', ({ data }) => {
  if (data.type === 'started') location.replace('/wcpp/login');
});
