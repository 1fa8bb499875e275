class Circle:
    def area(self):
        return 3 * self.r

class Square:
    def area(self):
        return self.a

    def name(self):
        return "square"
