// The program of the wheel: its code is in the library beside it, which Python loads too.
int PlumblineCLI_main(int count, char **arguments);

int main(int count, char **arguments) { return PlumblineCLI_main(count, arguments); }
