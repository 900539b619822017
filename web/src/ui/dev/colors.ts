export const colors = ['Amber', 'Blue', 'Coral', 'Green', 'Grey', 'Indigo', 'Pink', 'Red', 'Teal', 'White'];
