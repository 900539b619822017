export const colours = ['Amber', 'Blue', 'Coral', 'Green', 'Grey', 'Indigo', 'Pink', 'Red', 'Teal', 'White'];
